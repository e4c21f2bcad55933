internal import CSpeexDSP

/// The C edge to speexdsp's echo canceller (MDF): an adaptive linear filter that takes away what it can predict and
/// cuts nothing.
final class LinearEchoCanceller {
  private let state: OpaquePointer
  private let response: UnsafeMutableBufferPointer<Int32>

  /// - Parameter tail: samples of echo that the filter covers.
  init?(tail: Int) {
    guard let state = speex_echo_state_init(Int32(VoiceForm.frame), Int32(tail)) else { return nil }
    self.state = state
    var rate = Int32(VoiceForm.rate)
    speex_echo_ctl(state, SPEEX_ECHO_SET_SAMPLING_RATE, &rate)
    var size: Int32 = 0
    speex_echo_ctl(state, SPEEX_ECHO_GET_IMPULSE_RESPONSE_SIZE, &size)
    response = .allocate(capacity: max(Int(size), 1))
    response.initialize(repeating: 0)
  }

  deinit {
    speex_echo_state_destroy(state)
    response.deallocate()
  }

  /// One frame of 480 samples; `output` must not be `captured`.
  func cancel(
    _ captured: UnsafePointer<Int16>, played: UnsafePointer<Int16>, into output: UnsafeMutablePointer<Int16>
  ) {
    speex_echo_cancellation(state, captured, played, output)
  }

  /// Where the filter has found the echo's direct way: samples behind the played sound it was given. Nil while it has
  /// found none that stands out.
  func directPath() -> Int? {
    speex_echo_ctl(state, SPEEX_ECHO_GET_IMPULSE_RESPONSE, response.baseAddress)
    let block = VoiceForm.rate / 200
    var total = 0.0
    var best = (energy: 0.0, start: 0)
    var blocks = 0
    for start in stride(from: 0, through: response.count - block, by: block) {
      var energy = 0.0
      for index in start..<start + block {
        let tap = Double(response[index])
        energy += tap * tap
      }
      total += energy
      blocks += 1
      if energy > best.energy { best = (energy, start) }
    }
    return best.energy * Double(blocks) > total * 6 && best.energy > 0 ? best.start : nil
  }
}
