/// A microphone: 48 kHz, one channel, 10 ms at a time.
public final class VoiceMicrophone: Sendable {
  private static let buffer = 100_000
  private static let step = 10_000

  private let pipeline: Pipeline
  private let life: DeviceLife

  /// Opens the device; blocks until its first sound is there.
  /// - Parameters:
  ///   - device: its name, `pulse:NAME` or `alsa:NAME` for one sound system only; nil is the default one.
  ///   - server: address of the PulseAudio server; nil is the usual one.
  ///   - onFrame: gets 480 samples, which it may change, on the device's thread.
  ///   - onEnd: called once when the device goes away. It must not call ``close()`` itself.
  /// - Throws: ``MediaFailure/noMicrophone``, ``MediaFailure/missingElements(_:)``.
  public init(
    device: String? = nil, server: String? = nil,
    onFrame: @escaping @Sendable (UnsafeMutableBufferPointer<Int16>) -> Void,
    onEnd: @escaping @Sendable (MediaFailure) -> Void
  ) throws(MediaFailure) {
    (pipeline, life) = try SoundDevice.open(
      SoundDeviceName(device), server: server, missing: .noMicrophone,
      describe: { system in
        // Gaps and overlaps are no matter of the pipeline's clock: frames are counted.
        """
        \(system)src name=device provide-clock=false slave-method=none \
        buffer-time=\(Self.buffer) latency-time=\(Self.step) ! \(FrameCutter.conversion) \
        ! appsink name=out sync=false async=false enable-last-sample=false
        """
      }, onEnd: { onEnd($0 ?? .noMicrophone) },
      prepare: { pipeline, life in
        let cutter = FrameCutter(onFrame)
        pipeline.onSample("out") { sample in
          life.run()
          cutter.push(sample)
        }
      })
  }

  deinit { close() }

  /// Gives the device back; blocks until its thread has ended. Nothing is called afterwards.
  public func close() {
    life.close()
    pipeline.stop()
  }
}
