/// A loudspeaker that asks for its sound: 48 kHz, one channel, 10 ms at a time, at the pace of its own clock.
public final class VoiceLoudspeaker: Sendable {
  /// What the device holds before it plays, in microseconds; and how much it takes at a time.
  private static let buffer = 40_000
  private static let step = 10_000
  /// Between two questions after the latency, in frames.
  private static let askEvery = 50

  private let pipeline: Pipeline
  private let life: DeviceLife

  /// Opens the device; blocks until it takes sound.
  /// - Parameters:
  ///   - device: its name, `pulse:NAME` or `alsa:NAME` for one sound system only; nil is the default one.
  ///   - server: address of the PulseAudio server; nil is the usual one.
  ///   - render: fills the frame of 480 samples, on the device's thread; it must not wait for anything. With it comes
  ///     how much later the frame will be heard, as the device tells.
  ///   - onEnd: called once when the device goes away. It must not call ``close()`` itself.
  /// - Throws: ``MediaFailure/noAudioDevice``, ``MediaFailure/missingElements(_:)``.
  public convenience init(
    device: String? = nil, server: String? = nil,
    render: @escaping @Sendable (UnsafeMutableBufferPointer<Int16>, Duration) -> Void,
    onEnd: @escaping @Sendable (MediaFailure) -> Void
  ) throws(MediaFailure) {
    try self.init(device: device, server: server, rate: VoiceForm.rate, render: render, onEnd: onEnd)
  }

  /// - Parameter rate: samples that the device takes in a second of the system's clock; tests have one that is off.
  init(
    device: String?, server: String?, rate: Int,
    render: @escaping @Sendable (UnsafeMutableBufferPointer<Int16>, Duration) -> Void,
    onEnd: @escaping @Sendable (MediaFailure) -> Void
  ) throws(MediaFailure) {
    let progress = Progress()
    (pipeline, life) = try SoundDevice.open(
      SoundDeviceName(device), server: server, missing: .noAudioDevice,
      describe: { system in
        """
        appsrc name=in format=time stream-type=stream max-buffers=1 caps="\(FrameCutter.caps(rate: rate))" \
        ! audioconvert ! audioresample ! \(system)sink name=device sync=false \
        buffer-time=\(Self.buffer) latency-time=\(Self.step)
        """
      }, onEnd: { onEnd($0 ?? .noAudioDevice) },
      prepare: { pipeline, life in
        guard let input = pipeline.element("in"), let sink = pipeline.element("device") else { return }
        input.feed(bytes: VoiceForm.frame * MemoryLayout<Int16>.stride) { bytes in
          // The second question says that the device took the first frame.
          progress.frames += 1
          if progress.frames > 1 { life.run() }
          if progress.frames % Self.askEvery == 8, let unplayed = sink.unplayed {
            progress.latency = .nanoseconds(min(unplayed, 1_000_000_000))
          }
          render(bytes.bindMemory(to: Int16.self), progress.latency)
        }
      })
  }

  deinit { close() }

  /// Gives the device back; blocks until its thread has ended. Nothing is called afterwards.
  public func close() {
    life.close()
    pipeline.stop()
  }

  // @unchecked: belongs to the streaming thread.
  private final class Progress: @unchecked Sendable {
    var frames = 0
    var latency = Duration.microseconds(VoiceLoudspeaker.buffer)
  }
}
