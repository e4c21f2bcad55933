import OrielMedia
import OrielModel

extension MediaFailure {
  /// The number of a failure of a source, as the device reports it.
  var errorCode: ErrorCode {
    switch self {
    case .missingElements: .mediaLibrary
    case .invalidLocation: .sourceAddressInvalid
    case .unreachable: .sourceUnreachable
    case .refused: .sourceRefused
    case .notFound: .sourceNotFound
    case .stalled: .sourceStalled
    case .malformed: .sourceMalformed
    case .unsupported, .noVideo, .codecChanged: .sourceUnsupported
    case .noDisplay: .windowUnavailable
    case .noAudioDevice: .soundUnavailable
    case .noMicrophone: .microphoneUnavailable
    case .nothingRecorded: .nothingRecorded
    case .storageFull: .diskFull
    case .notWritable: .fileNotWritable
    case .closed: .cancelled
    case .pipeline: .streamInnerError
    }
  }

  /// Number and detail; without addresses and passwords, as the failure itself.
  var orielError: OrielError {
    switch self {
    case .missingElements(let names): OrielError(errorCode, names.joined(separator: ", "))
    case .malformed(let text), .unsupported(let text), .pipeline(let text): OrielError(errorCode, text)
    default: OrielError(errorCode)
    }
  }
}
