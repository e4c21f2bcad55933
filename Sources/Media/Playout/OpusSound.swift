internal import Synchronization

/// Sound in any form to the one that viewers take: Opus passes, AAC is encoded anew.
public final class OpusSound: Sendable {
  private struct State {
    var conversion: SoundConversion?
    /// Counts the conversions: what an older one still gives is passed over.
    var generation = 0
  }

  private let retirement: Retirement
  private let onPacket: @Sendable (AudioPacket) -> Void
  private let state = Mutex(State())

  /// - Parameter onPacket: gets the packets in order, on the caller's thread or on one of its own.
  public convenience init(onPacket: @escaping @Sendable (AudioPacket) -> Void) {
    self.init(retirement: Retirement(), onPacket: onPacket)
  }

  init(retirement: Retirement, onPacket: @escaping @Sendable (AudioPacket) -> Void) {
    self.retirement = retirement
    self.onPacket = onPacket
  }

  deinit { reset() }

  /// Returns at once. Sound that cannot be decoded is left out.
  public func take(_ packet: AudioPacket) {
    switch packet.form {
    case .opus: onPacket(packet)
    case .aac(let configuration): conversion(of: configuration)?.convert(packet)
    }
  }

  /// The sound ended: gives back what decoding it took, in the background. No packet of it comes afterwards.
  public func reset() {
    let old = state.withLock { state in
      state.generation += 1
      return state.conversion.take()
    }
    if let old { retirement.run { old.close() } }
  }

  private func conversion(of configuration: AACConfiguration) -> SoundConversion? {
    if let running = state.withLock({ $0.conversion }), running.configuration == configuration {
      return running
    }
    reset()
    let generation = state.withLock { $0.generation }
    let new = try? SoundConversion(configuration) { [weak self] packet in
      guard let self, self.state.withLock({ $0.generation }) == generation else { return }
      self.onPacket(packet)
    }
    state.withLock { $0.conversion = new }
    return new
  }
}
