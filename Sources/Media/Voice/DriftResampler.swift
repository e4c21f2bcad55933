internal import CSpeexDSP

/// The C edge to speexdsp's resampler: one channel of 48 kHz, played up to ±1 % faster or slower. The rate may change
/// at any time without a click.
final class DriftResampler {
  /// A prime, so that no rate is a fraction of a smaller one and the phase keeps its fineness (15 ppm); larger ones
  /// overflow within the library.
  private static let denominator = 65_521

  private let state: OpaquePointer
  private var numerator = DriftResampler.denominator + 1

  init?() {
    var error: Int32 = 0
    guard
      let state = speex_resampler_init_frac(
        1, UInt32(numerator), UInt32(Self.denominator), UInt32(VoiceForm.rate), UInt32(VoiceForm.rate), 5,
        &error)
    else { return nil }
    self.state = state
    speex_resampler_skip_zeros(state)
  }

  deinit { speex_resampler_destroy(state) }

  /// - Parameter rate: ppm; above 0 uses up the input faster.
  func setRate(_ rate: Double) {
    let bounded = rate.isFinite ? min(max(rate, -10_000), 10_000) : 0
    var wanted = Self.denominator + Int((bounded * Double(Self.denominator) / 1_000_000).rounded())
    // The ratio 1 would be reduced, and the phase lost with it.
    if wanted == Self.denominator { wanted += 1 }
    guard wanted != numerator else { return }
    numerator = wanted
    let rate = UInt32(VoiceForm.rate)
    speex_resampler_set_rate_frac(state, UInt32(wanted), UInt32(Self.denominator), rate, rate)
  }

  /// Returns how many samples were used up and made.
  func process(
    _ input: UnsafeBufferPointer<Int16>, into output: UnsafeMutableBufferPointer<Int16>
  ) -> (used: Int, made: Int) {
    guard let source = input.baseAddress, let target = output.baseAddress else { return (0, 0) }
    var used = UInt32(clamping: input.count)
    var made = UInt32(clamping: output.count)
    speex_resampler_process_int(state, 0, source, &used, target, &made)
    return (Int(used), Int(made))
  }
}
