import OrielModel

/// What the platform passes on between viewers and cameras.
enum SignalLimits {
  /// Base64 of a description whose SDP has 64 KiB, every line end of which JSON writes as four bytes.
  static let payload = 100 * 1024
  static let sessionId = 64
  /// Sessions of one viewer link.
  static let sessions = 64

  /// - Returns: the number of what is wrong with a message; nil when it may be passed on.
  static func fault(of signal: SignalMessage) -> ErrorCode? {
    if let payload = signal.messagePayload, payload.utf8.count > Self.payload { return .descriptionMalformed }
    if let camera = signal.cameraNo, !(1...999).contains(camera) { return .cameraNotFound }
    for time in [signal.playbackTime, signal.playbackEndTime] {
      // Not a number compares with nothing.
      if let time, !(time >= 0 && time <= Double(RecordLimits.time.upperBound) / 1000) {
        return .playbackRange
      }
    }
    return nil
  }

  /// Letters, digits and `-_.:` only: the name appears in both sides' logs.
  static func isSessionId(_ text: String) -> Bool {
    (1...sessionId).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        switch $0 {
        case 48...57, 65...90, 97...122, 45, 46, 58, 95: true
        default: false
        }
      }
  }
}
