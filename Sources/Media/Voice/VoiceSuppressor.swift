internal import CVoiceProcessing

/// The C edge to webrtc-audio-processing: what echo is left, noise, gain.
struct VoiceSuppressor: ~Copyable {
  private let state: UnsafeMutableRawPointer

  init?(echo: Bool, noise: Bool, gain: Bool) {
    guard let state = oriel_voice_create(echo ? 1 : 0, noise ? 1 : 0, gain ? 1 : 0) else { return nil }
    self.state = state
  }

  deinit { oriel_voice_destroy(state) }

  /// What the loudspeaker played; always right before ``process(_:delay:)``.
  func analyze(_ played: UnsafePointer<Int16>) { _ = oriel_voice_far(state, played) }

  /// In place. A frame that the library refuses stays as it was.
  func process(_ captured: UnsafeMutablePointer<Int16>, milliseconds delay: Int) {
    _ = oriel_voice_near(state, captured, Int32(delay))
  }
}
