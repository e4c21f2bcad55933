import OrielMedia
import OrielModel

/// How one may talk with a camera.
public struct TalkConfiguration: Sendable, Equatable {
  /// The loudspeaker as the system calls it; nil: the one that people chose.
  public var loudspeaker: String?
  /// The loudspeaker and the microphone cannot run at once: the talker turns the direction round.
  public var isHalfDuplex: Bool

  public init(loudspeaker: String? = nil, isHalfDuplex: Bool = false) {
    self.loudspeaker = loudspeaker
    self.isHalfDuplex = isHalfDuplex
  }

  var duplex: TalkCapability { isHalfDuplex ? .halfDuplex : .fullDuplex }
}
