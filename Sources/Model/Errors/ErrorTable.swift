extension ErrorCode {
  /// The row of the table: the constant's name, what happened, what to do.
  public var entry: ErrorEntry {
    switch self {
    case .parameterError:
      ErrorEntry(
        name: "EZ_HTTPS_PARAM_ERROR", meaning: "A parameter is missing or malformed",
        remedy: "Check the parameters of the call.")
    case .accessTokenInvalid:
      ErrorEntry(
        name: "EZ_HTTPS_ACCESS_TOKEN_INVALID", meaning: "The access token is not valid",
        remedy: "Sign in again.")
    case .accessTokenExpired:
      ErrorEntry(
        name: "EZ_HTTPS_ACCESS_TOKEN_EXPIRE", meaning: "The access token has expired",
        remedy: "Sign in again.")
    case .userNotFound:
      ErrorEntry(
        name: "EZ_HTTPS_REGIST_USER_NOT_EXSIT", meaning: "There is no such account",
        remedy: "Check the account's name.")
    case .appKeyError:
      ErrorEntry(
        name: "EZ_HTTPS_APPKEY_ERROR", meaning: "The appKey is not valid or has been frozen",
        remedy: "Ask the platform's administrator.")
    case .addressLimited:
      ErrorEntry(
        name: "EZ_HTTPS_IP_LIMIT", meaning: "Too many attempts from this address",
        remedy: "Wait a few minutes and try again.")
    case .callLimit:
      ErrorEntry(
        name: "EZ_HTTPS_INVOKE_LIMIT", meaning: "The number of calls allowed has been reached",
        remedy: "Wait and try again.")
    case .appKeyNull:
      ErrorEntry(
        name: "EZ_HTTPS_APPKEY_IS_NULL", meaning: "The appKey is not known here",
        remedy: "Check the appKey, or make an application on the platform.")
    case .appKeyNotMatched:
      ErrorEntry(
        name: "EZ_HTTPS_APPKEY_NOT_MATCHED", meaning: "The access token belongs to another appKey",
        remedy: "Use the appKey the token was made with.")
    case .wrongPassword:
      ErrorEntry(
        name: "ORIEL_WRONG_PASSWORD", meaning: "The account or the password is wrong",
        remedy: "Try again; after several failures the platform makes you wait.")
    case .tooFrequent:
      ErrorEntry(
        name: "ORIEL_TOO_FREQUENT", meaning: "Calls come too fast",
        remedy: "Wait a moment and try again.")
    case .appSecretMismatch:
      ErrorEntry(
        name: "ORIEL_APPSECRET_MISMATCH", meaning: "The appKey and the appSecret do not belong together",
        remedy: "Check both on the platform.")
    case .noPermission:
      ErrorEntry(
        name: "ORIEL_NO_PERMISSION", meaning: "This account may not do that",
        remedy: "Ask the device's owner or the administrator.")
    case .cameraNotFound:
      ErrorEntry(
        name: "EZ_HTTPS_CAMERA_NOT_EXISTS", meaning: "The device has no such camera",
        remedy: "Check the camera's number; they count from 1.")
    case .deviceNotFound:
      ErrorEntry(
        name: "EZ_HTTPS_DEVICE_NOT_EXISTS", meaning: "No device with this serial has ever registered",
        remedy: "Check the serial, and connect the device to the network.")
    case .deviceNetworkAnomaly:
      ErrorEntry(
        name: "EZ_HTTPS_DEVICE_NETWORK_ANOMALY", meaning: "The device's network does not work properly",
        remedy: "Check the device's network and try again.")
    case .deviceOffline:
      ErrorEntry(
        name: "EZ_HTTPS_DEVICE_OFFLINE", meaning: "The device is offline",
        remedy: "Connect the device to power and network and try again.")
    case .deviceTimeout:
      ErrorEntry(
        name: "EZ_HTTPS_DEIVCE_RESPONSE_TIMEOUT", meaning: "The device did not answer in time",
        remedy: "Try again.")
    case .wrongVerificationCode:
      ErrorEntry(
        name: "EZ_HTTPS_DEVICE_VALICATECODE_ERROR", meaning: "The verification code is wrong",
        remedy: "Use the six letters on the device's label.")
    case .addFailedNetwork:
      ErrorEntry(
        name: "ORIEL_ADD_FAILED_NETWORK", meaning: "The device could not be added",
        remedy: "Check the device's network and try again.")
    case .addFailed:
      ErrorEntry(
        name: "ORIEL_ADD_FAILED", meaning: "The device could not be added",
        remedy: "Try again.")
    case .addedByAnother:
      ErrorEntry(
        name: "ORIEL_ADDED_BY_ANOTHER", meaning: "The device belongs to another account",
        remedy: "Ask its owner to remove it first.")
    case .illegalDeviceSerial:
      ErrorEntry(
        name: "EZ_HTTPS_ILLEGAL_DEVICE_SERIAL", meaning: "This is not a device serial",
        remedy: "A serial has nine characters: digits, or one or two letters and then digits.")
    case .deviceUnsupported:
      ErrorEntry(
        name: "ORIEL_DEVICE_UNSUPPORTED", meaning: "The device cannot do that",
        remedy: "Use a device that supports it.")
    case .storageFormatting:
      ErrorEntry(
        name: "EZ_HTTPS_DEVICE_STORAGE_FORMATTING", meaning: "The device is formatting its storage",
        remedy: "Wait until it has finished.")
    case .deviceAddedByMyself:
      ErrorEntry(
        name: "EZ_HTTPS_DEVICE_ADDED_MYSELF", meaning: "The device is already in this account",
        remedy: "Nothing needs to be done.")
    case .notMyDevice:
      ErrorEntry(
        name: "EZ_HTTPS_USER_NOT_OWN_THIS_DEVICE", meaning: "The device is not in this account",
        remedy: "Add the device first, or sign in with the account that owns it.")
    case .cloudUnsupported:
      ErrorEntry(
        name: "EZ_HTTPS_DEVICE_UNSUPPORT_CLOUD", meaning: "The device has no cloud storage",
        remedy: "Use the device's own storage.")
    case .deviceOnlineAdded:
      ErrorEntry(
        name: "EZ_HTTPS_DEVICE_ONLINE_ADDED", meaning: "The device is online and already in this account",
        remedy: "Nothing needs to be done.")
    case .deviceOnlineNotAdded:
      ErrorEntry(
        name: "EZ_HTTPS_DEVICE_ONLINE_NOT_ADDED", meaning: "The device is online and free to be added",
        remedy: "Add it with its verification code.")
    case .deviceOnlineIsAdded:
      ErrorEntry(
        name: "EZ_HTTPS_DEVICE_ONLINE_IS_ADDED",
        meaning: "The device is online and belongs to another account",
        remedy: "Ask its owner to remove it first.")
    case .deviceOfflineNotAdded:
      ErrorEntry(
        name: "EZ_HTTPS_DEVICE_OFFLINE_NOT_ADDED", meaning: "The device is offline and free to be added",
        remedy: "Connect it to the network, then add it.")
    case .deviceOfflineIsAdded:
      ErrorEntry(
        name: "EZ_HTTPS_DEVICE_OFFLINE_IS_ADDED",
        meaning: "The device is offline and belongs to another account",
        remedy: "Ask its owner to remove it first.")
    case .deviceOfflineIsAddedMyself:
      ErrorEntry(
        name: "EZ_HTTPS_DEVICE_OFFLINE_IS_ADDED_MYSELF",
        meaning: "The device is offline and already in this account",
        remedy: "Connect it to the network.")
    case .terminalBinding:
      ErrorEntry(
        name: "EZ_HTTPS_DEVICE_BUNDEL_STATUS_ON", meaning: "Terminal binding forbids this",
        remedy: "Switch terminal binding off.")
    case .noSuchChannel:
      ErrorEntry(
        name: "ORIEL_NO_SUCH_CHANNEL", meaning: "The account has no such camera",
        remedy: "Check the camera's number.")
    case .serverDataError:
      ErrorEntry(
        name: "EZ_HTTPS_SERVER_DATA_ERROR", meaning: "The platform's data are inconsistent",
        remedy: "Tell the platform's administrator.")
    case .serverError:
      ErrorEntry(
        name: "EZ_HTTPS_SERVER_ERROR", meaning: "The platform failed",
        remedy: "Try again; the platform's log has the reason.")
    case .encryptionAlreadyOff:
      ErrorEntry(
        name: "ORIEL_ENCRYPTION_ALREADY_OFF", meaning: "Encryption is already off",
        remedy: "Nothing needs to be done.")
    case .captureFailed:
      ErrorEntry(
        name: "ORIEL_CAPTURE_FAILED", meaning: "The device could not take a picture",
        remedy: "Try again.")
    case .encryptionOn:
      ErrorEntry(
        name: "ORIEL_ENCRYPTION_ON", meaning: "The device's video is encrypted",
        remedy: "Use a player that decrypts it.")
    case .commandNotSupported:
      ErrorEntry(
        name: "EZ_HTTPS_DEVICE_COMMAND_NOT_SUPPORT", meaning: "The device does not know this command",
        remedy: "Use a device that supports it.")
    case .talkRequestTimeout:
      ErrorEntry(
        name: "EZ_DEVICE_TTS_REQUEST_TIMEOUT", meaning: "The device did not answer the call",
        remedy: "Try again.")
    case .talkTimeout:
      ErrorEntry(
        name: "EZ_DEVICE_TTS_TALKING_TIMEOUT", meaning: "The call was lost",
        remedy: "Try again.")
    case .talkBusy:
      ErrorEntry(
        name: "EZ_DEVICE_TTS_TALKING", meaning: "Somebody else is talking with the device",
        remedy: "Try again later.")
    case .talkPrivacy:
      ErrorEntry(
        name: "EZ_DEVICE_TTS_PRIVACY_PROTECT", meaning: "The device protects its privacy",
        remedy: "Switch the privacy mask off.")
    case .privacyProtecting:
      ErrorEntry(
        name: "EZ_DEVICE_IS_PRIVACY_PROTECTING", meaning: "The device protects its privacy",
        remedy: "Switch the privacy mask off.")
    case .connectionLimit:
      ErrorEntry(
        name: "EZ_DEVICE_CONNECT_COUNT_LIMIT", meaning: "The device serves as many viewers as it can",
        remedy: "Stop another view first.")
    case .playbackEnded:
      ErrorEntry(
        name: "EZ_PLAYBACK_ENDED", meaning: "The playback ended",
        remedy: "Compare the time shown with the recording's end.")
    case .playTimeout:
      ErrorEntry(
        name: "EZ_PLAY_TIMEOUT", meaning: "No picture came in time",
        remedy: "Try again.")
    case .streamTimeout:
      ErrorEntry(
        name: "EZ_STREAM_CLIENT_TIMEOUT", meaning: "The stream did not start in time",
        remedy: "Try again.")
    case .recordNotFound:
      ErrorEntry(
        name: "EZ_STREAM_CLIENT_NOT_FIND_FILE", meaning: "Nothing was recorded at that time",
        remedy: "List the recordings and choose a time that has one.")
    case .streamOffline:
      ErrorEntry(
        name: "EZ_STREAM_CLIENT_OFFLINE", meaning: "The device is offline",
        remedy: "Connect the device to power and network and try again.")
    case .streamTokenInvalid:
      ErrorEntry(
        name: "EZ_STREAM_CLIENT_TOKEN_INVALID", meaning: "The right to view has ended",
        remedy: "Sign in again.")
    case .streamCameraNumber:
      ErrorEntry(
        name: "EZ_STREAM_CLIENT_CAMERANO_ERROR", meaning: "The device has no such camera",
        remedy: "Check the camera's number; they count from 1.")
    case .streamInnerError:
      ErrorEntry(
        name: "EZ_STREAM_CLIENT_INNER_ERROR", meaning: "The stream failed inside",
        remedy: "Try again; the log has the reason.")
    case .streamNoSource:
      ErrorEntry(
        name: "EZ_STREAM_CLIENT_NO_SOURCE", meaning: "The camera gives no picture",
        remedy: "Check the camera's source; `oriel devices info` says what is wrong.")
    case .argumentError:
      ErrorEntry(
        name: "EZ_SDK_PARAM_ERROR", meaning: "An argument of the call is not valid",
        remedy: "Check the call's arguments.")
    case .clientStreamTimeout:
      ErrorEntry(
        name: "EZ_SDK_STREAM_TIMEOUT", meaning: "The stream stopped",
        remedy: "Start the view again.")
    case .talkUnsupported:
      ErrorEntry(
        name: "EZ_SDK_NOT_SUPPORT_TALK", meaning: "The device has no talk",
        remedy: "Use a device that supports it.")
    case .noPlayToken:
      ErrorEntry(
        name: "EZ_SDK_TIMEOUT", meaning: "The view could not be prepared in time",
        remedy: "Stop and start the view.")
    case .verificationCodeNeeded:
      ErrorEntry(
        name: "EZ_SDK_NEED_VALIDATECODE", meaning: "The video is encrypted and needs its password",
        remedy: "Set it with setPlayVerifyCode and start again.")
    case .verificationCodeMismatch:
      ErrorEntry(
        name: "EZ_SDK_VALIDATECODE_NOT_MATCH", meaning: "The video password is wrong",
        remedy: "Ask for it again.")
    case .decodeTimeout:
      ErrorEntry(
        name: "EZ_SDK_DECODE_TIMEOUT", meaning: "The picture could not be decoded",
        remedy: "Try again, or use another definition.")
    case .playbackStreamTimeout:
      ErrorEntry(
        name: "EZ_SDK_PLAYBACK_STREAM_TIMEOUT", meaning: "The playback stopped",
        remedy: "Start the playback again.")
    case .sourceUnreachable:
      ErrorEntry(
        name: "ORIEL_SOURCE_UNREACHABLE", meaning: "The camera's source cannot be reached",
        remedy: "Check its address and that it is switched on.")
    case .sourceRefused:
      ErrorEntry(
        name: "ORIEL_SOURCE_REFUSED", meaning: "The camera's source refuses the user or the password",
        remedy: "Check SOURCE_CREDENTIALS.")
    case .sourceNotFound:
      ErrorEntry(
        name: "ORIEL_SOURCE_NOT_FOUND", meaning: "The camera's source does not have this stream",
        remedy: "Check the path of its address.")
    case .sourceStalled:
      ErrorEntry(
        name: "ORIEL_SOURCE_STALLED", meaning: "The camera's source stopped sending",
        remedy: "It is tried again by itself; check the network.")
    case .sourceMalformed:
      ErrorEntry(
        name: "ORIEL_SOURCE_MALFORMED", meaning: "The camera's source sends what is no video",
        remedy: "Check that the address is a camera's.")
    case .sourceUnsupported:
      ErrorEntry(
        name: "ORIEL_SOURCE_UNSUPPORTED", meaning: "The camera's source has a form that cannot be used",
        remedy: "Choose H.264 or H.265 in the camera's settings.")
    case .sourceAddressInvalid:
      ErrorEntry(
        name: "ORIEL_SOURCE_ADDRESS_INVALID", meaning: "The source's address is not valid",
        remedy: "Give test, rtsp://host/path, /dev/videoN or a file.")
    case .diskFull:
      ErrorEntry(
        name: "ORIEL_DISK_FULL", meaning: "The disk is full",
        remedy: "Make room; what was recorded until then is kept.")
    case .fileNotWritable:
      ErrorEntry(
        name: "ORIEL_FILE_NOT_WRITABLE", meaning: "The file cannot be written",
        remedy: "Check the folder and its rights.")
    case .nothingRecorded:
      ErrorEntry(
        name: "ORIEL_NOTHING_RECORDED", meaning: "Nothing was recorded",
        remedy: "Record for longer than one picture.")
    case .noPicture:
      ErrorEntry(
        name: "ORIEL_NO_PICTURE", meaning: "There is no picture yet",
        remedy: "Start the view and wait for the first picture.")
    case .recordingsFolder:
      ErrorEntry(
        name: "ORIEL_RECORDINGS_FOLDER", meaning: "The recordings folder cannot be used",
        remedy: "Check that it exists, is writable and belongs to you; recording goes on by itself then.")
    case .recordingsMoved:
      ErrorEntry(
        name: "ORIEL_RECORDINGS_MOVED", meaning: "The recordings folder is not the one that was used before",
        remedy: "Mount its disk again, or take the new one over with: oriel camera check --mend.")
    case .recordingStalled:
      ErrorEntry(
        name: "ORIEL_RECORDING_STALLED", meaning: "The disk is too slow, and pictures were left out",
        remedy: "Use a faster disk, or a lower bit rate; recording goes on by itself.")
    case .recordingsLocked:
      ErrorEntry(
        name: "ORIEL_RECORDINGS_LOCKED", meaning: "Locked recordings fill the room that recordings may take",
        remedy: "Unlock some, or raise the limit with --record-limit.")
    case .recordingOff:
      ErrorEntry(
        name: "ORIEL_RECORDING_OFF", meaning: "This camera does not record",
        remedy: "Start it with --record continuous or --record events.")
    case .recordingsInUse:
      ErrorEntry(
        name: "ORIEL_RECORDINGS_IN_USE", meaning: "A camera agent is recording into this folder",
        remedy: "Stop it before its recordings are mended.")
    case .playbackRange:
      ErrorEntry(
        name: "ORIEL_PLAYBACK_RANGE", meaning: "The playback's end is not after its start",
        remedy: "Give an end that is later than the start.")
    case .playbackInFuture:
      ErrorEntry(
        name: "ORIEL_PLAYBACK_IN_FUTURE", meaning: "The playback would start in the future",
        remedy: "Choose a time that has passed; check the clocks of camera and viewer.")
    case .playbackOutside:
      ErrorEntry(
        name: "ORIEL_PLAYBACK_OUTSIDE", meaning: "The time lies outside the playback's range",
        remedy: "Seek between the playback's start and end, or start another playback.")
    case .recordDamaged:
      ErrorEntry(
        name: "ORIEL_RECORD_DAMAGED", meaning: "The recording cannot be read",
        remedy: "Check the recordings folder with: oriel camera check.")
    case .playbackNotRunning:
      ErrorEntry(
        name: "ORIEL_PLAYBACK_NOT_RUNNING", meaning: "No playback is under way",
        remedy: "Start the playback first.")
    case .cloudFull:
      ErrorEntry(
        name: "ORIEL_CLOUD_FULL", meaning: "The account's cloud storage has no room for this recording",
        remedy: "Ask the administrator for a larger quota, or delete recordings.")
    case .cloudTooOld:
      ErrorEntry(
        name: "ORIEL_CLOUD_TOO_OLD", meaning: "The recording is older than the cloud keeps any",
        remedy: "Keep it on the camera, or ask the administrator for a longer time.")
    case .cloudStretch:
      ErrorEntry(
        name: "ORIEL_CLOUD_STRETCH", meaning: "What is said of a recording cannot be true",
        remedy: "Check the camera's clock and `oriel camera check`.")
    case .cloudOverlap:
      ErrorEntry(
        name: "ORIEL_CLOUD_OVERLAP", meaning: "Another recording of the same time is in the cloud",
        remedy: "Nothing needs to be done; the recording stays on the camera.")
    case .uploadOffset:
      ErrorEntry(
        name: "ORIEL_UPLOAD_OFFSET", meaning: "The piece does not begin where the last one ended",
        remedy: "Go on from the offset that the answer names.")
    case .uploadTooLong:
      ErrorEntry(
        name: "ORIEL_UPLOAD_TOO_LONG", meaning: "More bytes came than were announced",
        remedy: "Ask for the upload again.")
    case .uploadTooShort:
      ErrorEntry(
        name: "ORIEL_UPLOAD_TOO_SHORT", meaning: "Fewer bytes came than were announced",
        remedy: "Go on from the offset that the answer names.")
    case .uploadDigest:
      ErrorEntry(
        name: "ORIEL_UPLOAD_DIGEST", meaning: "The bytes that came are not the recording that was announced",
        remedy: "Send it again from the start.")
    case .uploadUnknown:
      ErrorEntry(
        name: "ORIEL_UPLOAD_UNKNOWN", meaning: "There is no such upload",
        remedy: "Ask for the upload again.")
    case .cloudStore:
      ErrorEntry(
        name: "ORIEL_CLOUD_STORE", meaning: "The store behind the cloud cannot be used",
        remedy: "Check the store's address and credentials; cameras try again by themselves.")
    case .uploadExpired:
      ErrorEntry(
        name: "ORIEL_UPLOAD_EXPIRED", meaning: "The right to send this recording has ended",
        remedy: "Ask for the upload again.")
    case .platformUnreachable:
      ErrorEntry(
        name: "ORIEL_PLATFORM_UNREACHABLE", meaning: "The platform cannot be reached",
        remedy: "Check its address, and that `oriel platform` runs.")
    case .platformUntrusted:
      ErrorEntry(
        name: "ORIEL_PLATFORM_UNTRUSTED", meaning: "The platform's key is not the one that was pinned",
        remedy:
          "Check the fingerprint that the platform printed; if it changed for a good reason, sign in again.")
    case .platformAnswer:
      ErrorEntry(
        name: "ORIEL_PLATFORM_ANSWER", meaning: "The platform's answer is not understood",
        remedy: "Check that the address is an Oriel platform of the same version.")
    case .notSignedIn:
      ErrorEntry(
        name: "ORIEL_NOT_SIGNED_IN", meaning: "Nobody is signed in",
        remedy: "Use `oriel login`, or set an access token.")
    case .notInitialised:
      ErrorEntry(
        name: "ORIEL_NOT_INITIALISED", meaning: "The library is not initialised",
        remedy: "Call initLib(withAppKey:) first.")
    case .serialTaken:
      ErrorEntry(
        name: "ORIEL_SERIAL_TAKEN", meaning: "Another device with another key owns this serial",
        remedy: "Give this camera another data folder, so that it makes a new serial.")
    case .messageMalformed:
      ErrorEntry(
        name: "ORIEL_MESSAGE_MALFORMED", meaning: "A message is malformed or too large",
        remedy: "Use the same version on both sides.")
    case .deviceLinkReplaced:
      ErrorEntry(
        name: "ORIEL_LINK_REPLACED", meaning: "The device connected again from elsewhere",
        remedy: "Run one agent per data folder.")
    case .addressInUse:
      ErrorEntry(
        name: "ORIEL_ADDRESS_IN_USE", meaning: "The port is in use",
        remedy: "Choose another with --port, or stop the program that holds it.")
    case .dataFolder:
      ErrorEntry(
        name: "ORIEL_DATA_FOLDER", meaning: "The data folder cannot be used",
        remedy: "Check that it exists and belongs to you.")
    case .dataFolderInUse:
      ErrorEntry(
        name: "ORIEL_DATA_FOLDER_IN_USE", meaning: "Another program is using this data folder",
        remedy: "Stop it, or choose another folder.")
    case .connectionFailed:
      ErrorEntry(
        name: "ORIEL_CONNECTION_FAILED", meaning: "No network path to the device was found",
        remedy: "Check firewalls, or configure a TURN server on the platform.")
    case .connectionLost:
      ErrorEntry(
        name: "ORIEL_CONNECTION_LOST", meaning: "The connection to the device was lost and did not come back",
        remedy: "Check the device and the network, then start again.")
    case .handshakeFailed:
      ErrorEntry(
        name: "ORIEL_HANDSHAKE_FAILED", meaning: "The encrypted connection to the device could not be made",
        remedy: "Try again; if it stays, somebody may be in between.")
    case .descriptionMalformed:
      ErrorEntry(
        name: "ORIEL_DESCRIPTION_MALFORMED", meaning: "The session description is malformed or too large",
        remedy: "Use a client that speaks WebRTC.")
    case .noCommonCodec:
      ErrorEntry(
        name: "ORIEL_NO_COMMON_CODEC", meaning: "Viewer and camera have no codec in common",
        remedy: "Choose H.264 in the camera's settings.")
    case .sessionUnknown:
      ErrorEntry(
        name: "ORIEL_SESSION_UNKNOWN", meaning: "There is no such session",
        remedy: "Start the view again.")
    case .windowUnavailable:
      ErrorEntry(
        name: "ORIEL_WINDOW_UNAVAILABLE", meaning: "No window can be opened here",
        remedy: "Run inside a desktop, or leave --window out.")
    case .mediaLibrary:
      ErrorEntry(
        name: "ORIEL_MEDIA_LIBRARY", meaning: "A part of the media library is missing",
        remedy: "Run `make deps`.")
    case .soundUnavailable:
      ErrorEntry(
        name: "ORIEL_SOUND_UNAVAILABLE", meaning: "There is no loudspeaker here, or it cannot be opened",
        remedy: "Check the system's sound settings, or leave the sound off.")
    case .microphoneUnavailable:
      ErrorEntry(
        name: "ORIEL_MICROPHONE_UNAVAILABLE", meaning: "There is no microphone here, or it may not be used",
        remedy: "Check the system's sound settings and that this program may use the microphone.")
    case .soundFile:
      ErrorEntry(
        name: "ORIEL_SOUND_FILE", meaning: "The file is no sound that can be played",
        remedy: "Give a file with sound, such as WAV, MP3 or Ogg, that you may read.")
    case .cancelled:
      ErrorEntry(
        name: "ORIEL_CANCELLED", meaning: "The call was cancelled",
        remedy: "Nothing needs to be done.")
    }
  }
}
