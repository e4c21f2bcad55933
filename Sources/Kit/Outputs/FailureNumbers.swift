import OrielMedia
import OrielModel
import OrielRTC

extension OrielError {
  /// The number of a failure of the media library.
  init(media failure: MediaFailure) {
    self =
      switch failure {
      case .missingElements(let names): OrielError(.mediaLibrary, names.joined(separator: ", "))
      case .invalidLocation: OrielError(.sourceAddressInvalid)
      case .unreachable: OrielError(.sourceUnreachable)
      case .refused: OrielError(.sourceRefused)
      case .notFound: OrielError(.sourceNotFound)
      case .stalled: OrielError(.sourceStalled)
      case .malformed(let what): OrielError(.sourceMalformed, what)
      case .unsupported(let what): OrielError(.sourceUnsupported, what)
      case .noVideo: OrielError(.streamNoSource)
      case .noDisplay: OrielError(.windowUnavailable)
      case .noAudioDevice: OrielError(.soundUnavailable)
      case .noMicrophone: OrielError(.microphoneUnavailable)
      case .nothingRecorded: OrielError(.nothingRecorded)
      case .storageFull: OrielError(.diskFull)
      case .notWritable: OrielError(.fileNotWritable)
      case .codecChanged: OrielError(.decodeTimeout, "the codec changed")
      case .closed: OrielError(.cancelled)
      case .pipeline(let what): OrielError(.streamInnerError, what)
      }
  }

  /// The number of a failure of the transport.
  init(transport failure: RTCFailure) {
    self =
      switch failure {
      case .malformedDescription, .unexpectedDescription, .malformedCandidate:
        OrielError(.descriptionMalformed)
      case .unacceptableDescription: OrielError(.noCommonCodec)
      case .noPath: OrielError(.connectionFailed)
      case .pathLost, .closedByPeer: OrielError(.connectionLost)
      case .handshakeTimeout, .handshakeFailed, .fingerprintMismatch: OrielError(.handshakeFailed)
      case .messageTooLarge: OrielError(.messageMalformed)
      case .notOpen: OrielError(.sessionUnknown)
      case .bufferFull, .system: OrielError(.streamInnerError)
      }
  }

  /// The number of any failure; `other` for those that have none of their own.
  init(anyError error: any Error, other: ErrorCode = .streamInnerError) {
    self =
      switch error {
      case let error as OrielError: error
      case let failure as MediaFailure: OrielError(media: failure)
      case let failure as RTCFailure: OrielError(transport: failure)
      case is CancellationError: OrielError(.cancelled)
      default: OrielError(other)
      }
  }
}

/// Runs `body`; what it throws gets its number.
func numbered<Result>(_ body: () throws -> Result) throws -> Result {
  do { return try body() } catch { throw OrielError(anyError: error) }
}

extension PlaybackFailure {
  /// The number that a caller is told.
  var errorCode: ErrorCode {
    switch self {
    case .nothingRecorded: .recordNotFound
    case .unreadable: .recordDamaged
    case .codec: .noCommonCodec
    case .outside: .playbackOutside
    case .rate: .argumentError
    case .number(let number): ErrorCode(rawValue: number) ?? .streamInnerError
    }
  }
}
