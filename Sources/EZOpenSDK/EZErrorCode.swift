// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Names and numbers are those of the first manual's headers; compare them with an error's `code`.

/// The numbers of the first manual's headers. Oriel's own (7xxxxx) are not among them.
public enum EZErrorCode: Int, Sendable, CaseIterable {
  /// A parameter is missing or malformed.
  case EZ_HTTPS_PARAM_ERROR = 110_001
  /// The access token is not valid.
  case EZ_HTTPS_ACCESS_TOKEN_INVALID = 110_002
  /// The access token has expired.
  case EZ_HTTPS_ACCESS_TOKEN_EXPIRE = 110_003
  /// There is no such account.
  case EZ_HTTPS_REGIST_USER_NOT_EXSIT = 110_004
  /// The appKey is not valid.
  case EZ_HTTPS_APPKEY_ERROR = 110_005
  /// Too many attempts from this address.
  case EZ_HTTPS_IP_LIMIT = 110_006
  /// The number of calls allowed has been reached.
  case EZ_HTTPS_INVOKE_LIMIT = 110_007
  /// The user is bound to another one.
  case EZ_HTTPS_USER_BINDED = 110_012
  /// The appKey is not known.
  case EZ_HTTPS_APPKEY_IS_NULL = 110_017
  /// The token belongs to another appKey.
  case EZ_HTTPS_APPKEY_NOT_MATCHED = 110_018
  /// The device has no such camera.
  case EZ_HTTPS_CAMERA_NOT_EXISTS = 120_001
  /// The device is unknown, or has never registered.
  case EZ_HTTPS_DEVICE_NOT_EXISTS = 120_002
  /// The device's network does not work properly.
  case EZ_HTTPS_DEVICE_NETWORK_ANOMALY = 120_006
  /// The device is offline.
  case EZ_HTTPS_DEVICE_OFFLINE = 120_007
  /// The device did not answer in time.
  case EZ_HTTPS_DEIVCE_RESPONSE_TIMEOUT = 120_008
  /// The verification code is wrong.
  case EZ_HTTPS_DEVICE_VALICATECODE_ERROR = 120_010
  /// This is not a device serial.
  case EZ_HTTPS_ILLEGAL_DEVICE_SERIAL = 120_014
  /// The device is formatting its storage.
  case EZ_HTTPS_DEVICE_STORAGE_FORMATTING = 120_016
  /// The device is already in this account.
  case EZ_HTTPS_DEVICE_ADDED_MYSELF = 120_017
  /// The device is not in this account.
  case EZ_HTTPS_USER_NOT_OWN_THIS_DEVICE = 120_018
  /// The device has no cloud storage.
  case EZ_HTTPS_DEVICE_UNSUPPORT_CLOUD = 120_019
  /// Online, and already in this account.
  case EZ_HTTPS_DEVICE_ONLINE_ADDED = 120_020
  /// Online, and free to be added.
  case EZ_HTTPS_DEVICE_ONLINE_NOT_ADDED = 120_021
  /// Online, and in another account.
  case EZ_HTTPS_DEVICE_ONLINE_IS_ADDED = 120_022
  /// Offline, and free to be added.
  case EZ_HTTPS_DEVICE_OFFLINE_NOT_ADDED = 120_023
  /// Offline, and in another account.
  case EZ_HTTPS_DEVICE_OFFLINE_IS_ADDED = 120_024
  /// Offline, and already in this account.
  case EZ_HTTPS_DEVICE_OFFLINE_IS_ADDED_MYSELF = 120_029
  /// Terminal binding forbids this.
  case EZ_HTTPS_DEVICE_BUNDEL_STATUS_ON = 120_031
  /// The message could not be handled.
  case EZ_HTTPS_OPERATE_LEAVE_MSG_FAIL = 120_202
  /// The platform's data are inconsistent.
  case EZ_HTTPS_SERVER_DATA_ERROR = 149_999
  /// The platform failed.
  case EZ_HTTPS_SERVER_ERROR = 150_000
  /// The camera cannot be moved.
  case EZ_HTTPS_DEVICE_PTZ_NOT_SUPPORT = 160_000
  /// This account may not move the camera.
  case EZ_HTTPS_DEVICE_PTZ_NO_PERMISSION = 160_001
  /// The camera is at its upper limit.
  case EZ_HTTPS_DEVICE_PTZ_UPPER_LIMIT = 160_002
  /// The camera is at its lower limit.
  case EZ_HTTPS_DEVICE_PTZ_FLOOR_LIMIT = 160_003
  /// The camera is at its left limit.
  case EZ_HTTPS_DEVICE_PTZ_LEFT_LIMIT = 160_004
  /// The camera is at its right limit.
  case EZ_HTTPS_DEVICE_PTZ_RIGHT_LIMIT = 160_005
  /// The camera could not be moved.
  case EZ_HTTPS_DEVICE_PTZ_FAILED = 160_006
  /// The camera is finding its position.
  case EZ_HTTPS_DEVICE_PTZ_RESETING = 160_009
  /// The device does not know this command.
  case EZ_HTTPS_DEVICE_COMMAND_NOT_SUPPORT = 160_020
  /// An argument of the call is not valid.
  case EZ_SDK_PARAM_ERROR = 400_002
  /// The stream stopped.
  case EZ_SDK_STREAM_TIMEOUT = 400_015
  /// The device has no talk.
  case EZ_SDK_NOT_SUPPORT_TALK = 400_025
  /// The view could not be prepared in time.
  case EZ_SDK_TIMEOUT = 400_034
  /// The video is encrypted and needs its password.
  case EZ_SDK_NEED_VALIDATECODE = 400_035
  /// The video password is wrong.
  case EZ_SDK_VALIDATECODE_NOT_MATCH = 400_036
  /// The picture could not be decoded.
  case EZ_SDK_DECODE_TIMEOUT = 400_041
  /// The playback stopped.
  case EZ_SDK_PLAYBACK_STREAM_TIMEOUT = 400_409
  /// The device did not answer the call.
  case EZ_DEVICE_TTS_REQUEST_TIMEOUT = 360_001
  /// The call was lost.
  case EZ_DEVICE_TTS_TALKING_TIMEOUT = 360_002
  /// The device could not be reached for the call.
  case EZ_DEVICE_TTS_DEVICE_CONNECT_ERROR = 360_003
  /// The call failed inside.
  case EZ_DEVICE_TTS_INTER_ERROR = 360_004
  /// Sound could not be sent.
  case EZ_DEVICE_TTS_SEND_ERROR = 360_005
  /// Sound could not be received.
  case EZ_DEVICE_TTS_RECEIVE_ERROR = 360_006
  /// The call was closed.
  case EZ_DEVICE_TTS_CLOSE_CONNECT = 360_007
  /// Somebody else is talking with the device.
  case EZ_DEVICE_TTS_TALKING = 360_010
  /// The device protects its privacy.
  case EZ_DEVICE_TTS_PRIVACY_PROTECT = 360_013
  /// Talk could not be prepared.
  case EZ_DEVICE_TTS_INIT_ERROR = 360_102
  /// The device protects its privacy.
  case EZ_DEVICE_IS_PRIVACY_PROTECTING = 380_011
  /// The device serves as many viewers as it can.
  case EZ_DEVICE_CONNECT_COUNT_LIMIT = 380_045
  /// The device does not know this command.
  case EZ_DEVICE_COMMAND_NOT_SUPPORT = 380_047
  /// The device is talking.
  case EZ_DEVICE_CAS_TALKING = 380_077
  /// The device's answer could not be received.
  case EZ_DEVICE_CAS_REC_ERROR = 380_102
  /// The device's answer is not understood.
  case EZ_DEVICE_CAS_PARSE_ERROR = 380_205
  /// No picture came in time.
  case EZ_PLAY_TIMEOUT = 380_209
  /// The device did not answer in time.
  case EZ_DEVICE_TIMEOUT = 380_212
  /// The stream did not start in time.
  case EZ_STREAM_CLIENT_TIMEOUT = 390_038
  /// There is no such recording.
  case EZ_STREAM_CLIENT_NOT_FIND_FILE = 395_402
  /// The device is offline.
  case EZ_STREAM_CLIENT_OFFLINE = 395_404
  /// The right to view has ended.
  case EZ_STREAM_CLIENT_TOKEN_INVALID = 395_406
  /// The device protects its privacy.
  case EZ_STREAM_CLIENT_PRIVACY_PROTECT = 395_409
  /// The device serves as many viewers as it can.
  case EZ_STREAM_CLIENT_DEVICE_COUNT_LIMIT = 395_410
  /// Too many views with one token.
  case EZ_STREAM_CLIENT_TOKEN_LIMIT = 395_411
  /// The device has no such camera.
  case EZ_STREAM_CLIENT_CAMERANO_ERROR = 395_415
  /// This kind of stream is not there.
  case EZ_STREAM_CLIENT_TYPE_UNSUPPORT = 395_451
  /// The stream's server cannot be reached.
  case EZ_STREAM_CLIENT_CONNECT_SERVER_ERROR = 395_452
  /// There is no such session.
  case EZ_STREAM_CLIENT_SESSION_NOT_EXIST = 395_454
  /// The same request is under way.
  case EZ_STREAM_CLIENT_SAME_REQUEST = 395_491
  /// The stream failed inside.
  case EZ_STREAM_CLIENT_INNER_ERROR = 395_500
  /// The camera gives no picture.
  case EZ_STREAM_CLIENT_NO_SOURCE = 395_544
  /// The camera is not shared at this hour.
  case EZ_STREAM_CLIENT_VIDEO_OUT_SHARE_TIME = 395_545
  /// Too many views at once.
  case EZ_STREAM_CLIENT_LIMIT = 395_546
  /// The device is not shared at this hour.
  case EZ_STREAM_CLIENT_DEVICE_OUT_SHARE_TIME = 395_600
  /// Stream library: parameter.
  case EZ_NPC_CLIENT_PARAMETER = 500_001
  /// Stream library: order of calls.
  case EZ_NPC_CLIENT_ORDER = 500_002
  /// Stream library: memory.
  case EZ_NPC_CLIENT_MEMORY = 500_003
  /// Stream library: buffer overflow.
  case EZ_NPC_CLIENT_BUFFER_OVERFLOW = 500_004
  /// Stream library: not supported here.
  case EZ_NPC_CLIENT_SYSTEM_NO_SUPPORT = 500_005
  /// Stream library: invalid port.
  case EZ_NPC_CLIENT_INVALID_PORT = 500_006
  /// Stream library: stream closed.
  case EZ_NPC_CLIENT_STREAM_CLOSE = 500_101
  /// Stream library: track closed.
  case EZ_NPC_CLIENT_TRACK_CLOSE = 500_102
  /// Stream library: not created.
  case EZ_NPC_CLIENT_NPCCREATE = 500_103
  /// Stream library: converter not created.
  case EZ_NPC_CLIENT_TRSCREATE = 500_104
  /// Stream library: unknown.
  case EZ_NPC_CLIENT_UNKNOWN = 509_999
}

/// A parameter is missing or malformed.
public let EZ_HTTPS_PARAM_ERROR = EZErrorCode.EZ_HTTPS_PARAM_ERROR.rawValue
/// The access token is not valid.
public let EZ_HTTPS_ACCESS_TOKEN_INVALID = EZErrorCode.EZ_HTTPS_ACCESS_TOKEN_INVALID.rawValue
/// The access token has expired.
public let EZ_HTTPS_ACCESS_TOKEN_EXPIRE = EZErrorCode.EZ_HTTPS_ACCESS_TOKEN_EXPIRE.rawValue
/// There is no such account.
public let EZ_HTTPS_REGIST_USER_NOT_EXSIT = EZErrorCode.EZ_HTTPS_REGIST_USER_NOT_EXSIT.rawValue
/// The appKey is not valid.
public let EZ_HTTPS_APPKEY_ERROR = EZErrorCode.EZ_HTTPS_APPKEY_ERROR.rawValue
/// Too many attempts from this address.
public let EZ_HTTPS_IP_LIMIT = EZErrorCode.EZ_HTTPS_IP_LIMIT.rawValue
/// The number of calls allowed has been reached.
public let EZ_HTTPS_INVOKE_LIMIT = EZErrorCode.EZ_HTTPS_INVOKE_LIMIT.rawValue
/// The user is bound to another one.
public let EZ_HTTPS_USER_BINDED = EZErrorCode.EZ_HTTPS_USER_BINDED.rawValue
/// The appKey is not known.
public let EZ_HTTPS_APPKEY_IS_NULL = EZErrorCode.EZ_HTTPS_APPKEY_IS_NULL.rawValue
/// The token belongs to another appKey.
public let EZ_HTTPS_APPKEY_NOT_MATCHED = EZErrorCode.EZ_HTTPS_APPKEY_NOT_MATCHED.rawValue
/// The device has no such camera.
public let EZ_HTTPS_CAMERA_NOT_EXISTS = EZErrorCode.EZ_HTTPS_CAMERA_NOT_EXISTS.rawValue
/// The device is unknown, or has never registered.
public let EZ_HTTPS_DEVICE_NOT_EXISTS = EZErrorCode.EZ_HTTPS_DEVICE_NOT_EXISTS.rawValue
/// The device's network does not work properly.
public let EZ_HTTPS_DEVICE_NETWORK_ANOMALY = EZErrorCode.EZ_HTTPS_DEVICE_NETWORK_ANOMALY.rawValue
/// The device is offline.
public let EZ_HTTPS_DEVICE_OFFLINE = EZErrorCode.EZ_HTTPS_DEVICE_OFFLINE.rawValue
/// The device did not answer in time.
public let EZ_HTTPS_DEIVCE_RESPONSE_TIMEOUT = EZErrorCode.EZ_HTTPS_DEIVCE_RESPONSE_TIMEOUT.rawValue
/// The verification code is wrong.
public let EZ_HTTPS_DEVICE_VALICATECODE_ERROR = EZErrorCode.EZ_HTTPS_DEVICE_VALICATECODE_ERROR.rawValue
/// This is not a device serial.
public let EZ_HTTPS_ILLEGAL_DEVICE_SERIAL = EZErrorCode.EZ_HTTPS_ILLEGAL_DEVICE_SERIAL.rawValue
/// The device is formatting its storage.
public let EZ_HTTPS_DEVICE_STORAGE_FORMATTING = EZErrorCode.EZ_HTTPS_DEVICE_STORAGE_FORMATTING.rawValue
/// The device is already in this account.
public let EZ_HTTPS_DEVICE_ADDED_MYSELF = EZErrorCode.EZ_HTTPS_DEVICE_ADDED_MYSELF.rawValue
/// The device is not in this account.
public let EZ_HTTPS_USER_NOT_OWN_THIS_DEVICE = EZErrorCode.EZ_HTTPS_USER_NOT_OWN_THIS_DEVICE.rawValue
/// The device has no cloud storage.
public let EZ_HTTPS_DEVICE_UNSUPPORT_CLOUD = EZErrorCode.EZ_HTTPS_DEVICE_UNSUPPORT_CLOUD.rawValue
/// Online, and already in this account.
public let EZ_HTTPS_DEVICE_ONLINE_ADDED = EZErrorCode.EZ_HTTPS_DEVICE_ONLINE_ADDED.rawValue
/// Online, and free to be added.
public let EZ_HTTPS_DEVICE_ONLINE_NOT_ADDED = EZErrorCode.EZ_HTTPS_DEVICE_ONLINE_NOT_ADDED.rawValue
/// Online, and in another account.
public let EZ_HTTPS_DEVICE_ONLINE_IS_ADDED = EZErrorCode.EZ_HTTPS_DEVICE_ONLINE_IS_ADDED.rawValue
/// Offline, and free to be added.
public let EZ_HTTPS_DEVICE_OFFLINE_NOT_ADDED = EZErrorCode.EZ_HTTPS_DEVICE_OFFLINE_NOT_ADDED.rawValue
/// Offline, and in another account.
public let EZ_HTTPS_DEVICE_OFFLINE_IS_ADDED = EZErrorCode.EZ_HTTPS_DEVICE_OFFLINE_IS_ADDED.rawValue
/// Offline, and already in this account.
public let EZ_HTTPS_DEVICE_OFFLINE_IS_ADDED_MYSELF = EZErrorCode.EZ_HTTPS_DEVICE_OFFLINE_IS_ADDED_MYSELF
  .rawValue
/// Terminal binding forbids this.
public let EZ_HTTPS_DEVICE_BUNDEL_STATUS_ON = EZErrorCode.EZ_HTTPS_DEVICE_BUNDEL_STATUS_ON.rawValue
/// The message could not be handled.
public let EZ_HTTPS_OPERATE_LEAVE_MSG_FAIL = EZErrorCode.EZ_HTTPS_OPERATE_LEAVE_MSG_FAIL.rawValue
/// The platform's data are inconsistent.
public let EZ_HTTPS_SERVER_DATA_ERROR = EZErrorCode.EZ_HTTPS_SERVER_DATA_ERROR.rawValue
/// The platform failed.
public let EZ_HTTPS_SERVER_ERROR = EZErrorCode.EZ_HTTPS_SERVER_ERROR.rawValue
/// The camera cannot be moved.
public let EZ_HTTPS_DEVICE_PTZ_NOT_SUPPORT = EZErrorCode.EZ_HTTPS_DEVICE_PTZ_NOT_SUPPORT.rawValue
/// This account may not move the camera.
public let EZ_HTTPS_DEVICE_PTZ_NO_PERMISSION = EZErrorCode.EZ_HTTPS_DEVICE_PTZ_NO_PERMISSION.rawValue
/// The camera is at its upper limit.
public let EZ_HTTPS_DEVICE_PTZ_UPPER_LIMIT = EZErrorCode.EZ_HTTPS_DEVICE_PTZ_UPPER_LIMIT.rawValue
/// The camera is at its lower limit.
public let EZ_HTTPS_DEVICE_PTZ_FLOOR_LIMIT = EZErrorCode.EZ_HTTPS_DEVICE_PTZ_FLOOR_LIMIT.rawValue
/// The camera is at its left limit.
public let EZ_HTTPS_DEVICE_PTZ_LEFT_LIMIT = EZErrorCode.EZ_HTTPS_DEVICE_PTZ_LEFT_LIMIT.rawValue
/// The camera is at its right limit.
public let EZ_HTTPS_DEVICE_PTZ_RIGHT_LIMIT = EZErrorCode.EZ_HTTPS_DEVICE_PTZ_RIGHT_LIMIT.rawValue
/// The camera could not be moved.
public let EZ_HTTPS_DEVICE_PTZ_FAILED = EZErrorCode.EZ_HTTPS_DEVICE_PTZ_FAILED.rawValue
/// The camera is finding its position.
public let EZ_HTTPS_DEVICE_PTZ_RESETING = EZErrorCode.EZ_HTTPS_DEVICE_PTZ_RESETING.rawValue
/// The device does not know this command.
public let EZ_HTTPS_DEVICE_COMMAND_NOT_SUPPORT = EZErrorCode.EZ_HTTPS_DEVICE_COMMAND_NOT_SUPPORT.rawValue
/// An argument of the call is not valid.
public let EZ_SDK_PARAM_ERROR = EZErrorCode.EZ_SDK_PARAM_ERROR.rawValue
/// The stream stopped.
public let EZ_SDK_STREAM_TIMEOUT = EZErrorCode.EZ_SDK_STREAM_TIMEOUT.rawValue
/// The device has no talk.
public let EZ_SDK_NOT_SUPPORT_TALK = EZErrorCode.EZ_SDK_NOT_SUPPORT_TALK.rawValue
/// The view could not be prepared in time.
public let EZ_SDK_TIMEOUT = EZErrorCode.EZ_SDK_TIMEOUT.rawValue
/// The video is encrypted and needs its password.
public let EZ_SDK_NEED_VALIDATECODE = EZErrorCode.EZ_SDK_NEED_VALIDATECODE.rawValue
/// The video password is wrong.
public let EZ_SDK_VALIDATECODE_NOT_MATCH = EZErrorCode.EZ_SDK_VALIDATECODE_NOT_MATCH.rawValue
/// The picture could not be decoded.
public let EZ_SDK_DECODE_TIMEOUT = EZErrorCode.EZ_SDK_DECODE_TIMEOUT.rawValue
/// The playback stopped.
public let EZ_SDK_PLAYBACK_STREAM_TIMEOUT = EZErrorCode.EZ_SDK_PLAYBACK_STREAM_TIMEOUT.rawValue
/// The device did not answer the call.
public let EZ_DEVICE_TTS_REQUEST_TIMEOUT = EZErrorCode.EZ_DEVICE_TTS_REQUEST_TIMEOUT.rawValue
/// The call was lost.
public let EZ_DEVICE_TTS_TALKING_TIMEOUT = EZErrorCode.EZ_DEVICE_TTS_TALKING_TIMEOUT.rawValue
/// The device could not be reached for the call.
public let EZ_DEVICE_TTS_DEVICE_CONNECT_ERROR = EZErrorCode.EZ_DEVICE_TTS_DEVICE_CONNECT_ERROR.rawValue
/// The call failed inside.
public let EZ_DEVICE_TTS_INTER_ERROR = EZErrorCode.EZ_DEVICE_TTS_INTER_ERROR.rawValue
/// Sound could not be sent.
public let EZ_DEVICE_TTS_SEND_ERROR = EZErrorCode.EZ_DEVICE_TTS_SEND_ERROR.rawValue
/// Sound could not be received.
public let EZ_DEVICE_TTS_RECEIVE_ERROR = EZErrorCode.EZ_DEVICE_TTS_RECEIVE_ERROR.rawValue
/// The call was closed.
public let EZ_DEVICE_TTS_CLOSE_CONNECT = EZErrorCode.EZ_DEVICE_TTS_CLOSE_CONNECT.rawValue
/// Somebody else is talking with the device.
public let EZ_DEVICE_TTS_TALKING = EZErrorCode.EZ_DEVICE_TTS_TALKING.rawValue
/// The device protects its privacy.
public let EZ_DEVICE_TTS_PRIVACY_PROTECT = EZErrorCode.EZ_DEVICE_TTS_PRIVACY_PROTECT.rawValue
/// Talk could not be prepared.
public let EZ_DEVICE_TTS_INIT_ERROR = EZErrorCode.EZ_DEVICE_TTS_INIT_ERROR.rawValue
/// The device protects its privacy.
public let EZ_DEVICE_IS_PRIVACY_PROTECTING = EZErrorCode.EZ_DEVICE_IS_PRIVACY_PROTECTING.rawValue
/// The device serves as many viewers as it can.
public let EZ_DEVICE_CONNECT_COUNT_LIMIT = EZErrorCode.EZ_DEVICE_CONNECT_COUNT_LIMIT.rawValue
/// The device does not know this command.
public let EZ_DEVICE_COMMAND_NOT_SUPPORT = EZErrorCode.EZ_DEVICE_COMMAND_NOT_SUPPORT.rawValue
/// The device is talking.
public let EZ_DEVICE_CAS_TALKING = EZErrorCode.EZ_DEVICE_CAS_TALKING.rawValue
/// The device's answer could not be received.
public let EZ_DEVICE_CAS_REC_ERROR = EZErrorCode.EZ_DEVICE_CAS_REC_ERROR.rawValue
/// The device's answer is not understood.
public let EZ_DEVICE_CAS_PARSE_ERROR = EZErrorCode.EZ_DEVICE_CAS_PARSE_ERROR.rawValue
/// No picture came in time.
public let EZ_PLAY_TIMEOUT = EZErrorCode.EZ_PLAY_TIMEOUT.rawValue
/// The device did not answer in time.
public let EZ_DEVICE_TIMEOUT = EZErrorCode.EZ_DEVICE_TIMEOUT.rawValue
/// The stream did not start in time.
public let EZ_STREAM_CLIENT_TIMEOUT = EZErrorCode.EZ_STREAM_CLIENT_TIMEOUT.rawValue
/// There is no such recording.
public let EZ_STREAM_CLIENT_NOT_FIND_FILE = EZErrorCode.EZ_STREAM_CLIENT_NOT_FIND_FILE.rawValue
/// The device is offline.
public let EZ_STREAM_CLIENT_OFFLINE = EZErrorCode.EZ_STREAM_CLIENT_OFFLINE.rawValue
/// The right to view has ended.
public let EZ_STREAM_CLIENT_TOKEN_INVALID = EZErrorCode.EZ_STREAM_CLIENT_TOKEN_INVALID.rawValue
/// The device protects its privacy.
public let EZ_STREAM_CLIENT_PRIVACY_PROTECT = EZErrorCode.EZ_STREAM_CLIENT_PRIVACY_PROTECT.rawValue
/// The device serves as many viewers as it can.
public let EZ_STREAM_CLIENT_DEVICE_COUNT_LIMIT = EZErrorCode.EZ_STREAM_CLIENT_DEVICE_COUNT_LIMIT.rawValue
/// Too many views with one token.
public let EZ_STREAM_CLIENT_TOKEN_LIMIT = EZErrorCode.EZ_STREAM_CLIENT_TOKEN_LIMIT.rawValue
/// The device has no such camera.
public let EZ_STREAM_CLIENT_CAMERANO_ERROR = EZErrorCode.EZ_STREAM_CLIENT_CAMERANO_ERROR.rawValue
/// This kind of stream is not there.
public let EZ_STREAM_CLIENT_TYPE_UNSUPPORT = EZErrorCode.EZ_STREAM_CLIENT_TYPE_UNSUPPORT.rawValue
/// The stream's server cannot be reached.
public let EZ_STREAM_CLIENT_CONNECT_SERVER_ERROR = EZErrorCode.EZ_STREAM_CLIENT_CONNECT_SERVER_ERROR.rawValue
/// There is no such session.
public let EZ_STREAM_CLIENT_SESSION_NOT_EXIST = EZErrorCode.EZ_STREAM_CLIENT_SESSION_NOT_EXIST.rawValue
/// The same request is under way.
public let EZ_STREAM_CLIENT_SAME_REQUEST = EZErrorCode.EZ_STREAM_CLIENT_SAME_REQUEST.rawValue
/// The stream failed inside.
public let EZ_STREAM_CLIENT_INNER_ERROR = EZErrorCode.EZ_STREAM_CLIENT_INNER_ERROR.rawValue
/// The camera gives no picture.
public let EZ_STREAM_CLIENT_NO_SOURCE = EZErrorCode.EZ_STREAM_CLIENT_NO_SOURCE.rawValue
/// The camera is not shared at this hour.
public let EZ_STREAM_CLIENT_VIDEO_OUT_SHARE_TIME = EZErrorCode.EZ_STREAM_CLIENT_VIDEO_OUT_SHARE_TIME.rawValue
/// Too many views at once.
public let EZ_STREAM_CLIENT_LIMIT = EZErrorCode.EZ_STREAM_CLIENT_LIMIT.rawValue
/// The device is not shared at this hour.
public let EZ_STREAM_CLIENT_DEVICE_OUT_SHARE_TIME = EZErrorCode.EZ_STREAM_CLIENT_DEVICE_OUT_SHARE_TIME
  .rawValue
/// Stream library: parameter.
public let EZ_NPC_CLIENT_PARAMETER = EZErrorCode.EZ_NPC_CLIENT_PARAMETER.rawValue
/// Stream library: order of calls.
public let EZ_NPC_CLIENT_ORDER = EZErrorCode.EZ_NPC_CLIENT_ORDER.rawValue
/// Stream library: memory.
public let EZ_NPC_CLIENT_MEMORY = EZErrorCode.EZ_NPC_CLIENT_MEMORY.rawValue
/// Stream library: buffer overflow.
public let EZ_NPC_CLIENT_BUFFER_OVERFLOW = EZErrorCode.EZ_NPC_CLIENT_BUFFER_OVERFLOW.rawValue
/// Stream library: not supported here.
public let EZ_NPC_CLIENT_SYSTEM_NO_SUPPORT = EZErrorCode.EZ_NPC_CLIENT_SYSTEM_NO_SUPPORT.rawValue
/// Stream library: invalid port.
public let EZ_NPC_CLIENT_INVALID_PORT = EZErrorCode.EZ_NPC_CLIENT_INVALID_PORT.rawValue
/// Stream library: stream closed.
public let EZ_NPC_CLIENT_STREAM_CLOSE = EZErrorCode.EZ_NPC_CLIENT_STREAM_CLOSE.rawValue
/// Stream library: track closed.
public let EZ_NPC_CLIENT_TRACK_CLOSE = EZErrorCode.EZ_NPC_CLIENT_TRACK_CLOSE.rawValue
/// Stream library: not created.
public let EZ_NPC_CLIENT_NPCCREATE = EZErrorCode.EZ_NPC_CLIENT_NPCCREATE.rawValue
/// Stream library: converter not created.
public let EZ_NPC_CLIENT_TRSCREATE = EZErrorCode.EZ_NPC_CLIENT_TRSCREATE.rawValue
/// Stream library: unknown.
public let EZ_NPC_CLIENT_UNKNOWN = EZErrorCode.EZ_NPC_CLIENT_UNKNOWN.rawValue
