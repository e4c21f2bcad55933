internal import CSpeexDSP

/// The C edge to speexdsp's echo canceller (MDF): an adaptive linear filter that takes away what it can predict and
/// cuts nothing.
final class LinearEchoCanceller {
  private let state: OpaquePointer

  /// - Parameter tail: samples of echo that the filter covers.
  init?(tail: Int) {
    guard let state = speex_echo_state_init(Int32(VoiceForm.frame), Int32(tail)) else { return nil }
    self.state = state
    var rate = Int32(VoiceForm.rate)
    speex_echo_ctl(state, SPEEX_ECHO_SET_SAMPLING_RATE, &rate)
  }

  deinit { speex_echo_state_destroy(state) }

  /// One frame of 480 samples; `output` must not be `captured`.
  func cancel(
    _ captured: UnsafePointer<Int16>, played: UnsafePointer<Int16>, into output: UnsafeMutablePointer<Int16>
  ) {
    speex_echo_cancellation(state, captured, played, output)
  }
}
