/// Opus packets to the loudspeaker.
public final class AudioPlayer: Sendable {
  /// - Throws: ``MediaFailure/noAudioDevice`` when there is no loudspeaker.
  public init() throws {}

  public func play(_ packet: AudioPacket) {}
  /// 0...1.
  public func setVolume(_ volume: Double) {}
  public func close() {}
}
