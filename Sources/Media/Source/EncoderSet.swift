internal import Synchronization

/// The encoders of one source, at most one for each stream, fed with the same raw pictures.
final class EncoderSet: Sendable {
  private struct Slot {
    var bitrate: Int
    var encoder: EncodePipeline?
    var hasFailed = false
  }

  private let options: SourceOptions
  private let retire: @Sendable (@escaping @Sendable () -> Void) -> Void
  private let emit: @Sendable (MediaStream, [UInt8], Duration) -> Void
  private let fail: @Sendable (MediaStream, MediaFailure) -> Void
  private let slots = Mutex<[MediaStream: Slot]>([:])

  /// - Parameter retire: runs work that blocks somewhere else.
  init(
    options: SourceOptions, retire: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
    emit: @escaping @Sendable (MediaStream, [UInt8], Duration) -> Void,
    fail: @escaping @Sendable (MediaStream, MediaFailure) -> Void
  ) {
    self.options = options
    self.retire = retire
    self.emit = emit
    self.fail = fail
  }

  func setActive(_ stream: MediaStream, _ active: Bool) {
    let old: EncodePipeline? = slots.withLock { slots in
      if active {
        if slots[stream] == nil {
          slots[stream] = Slot(bitrate: stream == .main ? options.mainBitrate : options.subBitrate)
        }
        return nil
      }
      return slots.removeValue(forKey: stream)?.encoder
    }
    if let old { retire { old.stop() } }
  }

  var isIdle: Bool { slots.withLock { $0.isEmpty } }
  func isActive(_ stream: MediaStream) -> Bool { slots.withLock { $0[stream] != nil } }

  func push(_ sample: MediaSample, at timestamp: Duration) {
    guard let format = sample.pictureFormat else { return }
    var old: [EncodePipeline] = []
    var failures: [(MediaStream, MediaFailure)] = []
    slots.withLock { slots in
      for (stream, slot) in slots {
        if let encoder = slot.encoder, encoder.input == format {
          encoder.push(sample, at: timestamp)
          continue
        }
        if let encoder = slot.encoder { old.append(encoder) }
        guard !slot.hasFailed else { continue }
        do {
          let encoder = try make(stream, slot, format, sample)
          slots[stream]?.encoder = encoder
          encoder.push(sample, at: timestamp)
        } catch {
          slots[stream]?.encoder = nil
          slots[stream]?.hasFailed = true
          failures.append((stream, (error as? MediaFailure) ?? .pipeline("no encoder")))
        }
      }
    }
    for encoder in old { retire { encoder.stop() } }
    for (stream, failure) in failures { fail(stream, failure) }
  }

  private func make(_ stream: MediaStream, _ slot: Slot, _ format: PictureFormat, _ sample: MediaSample)
    throws
    -> EncodePipeline
  {
    let size = format.fitted(into: stream == .main ? options.mainSizeLimit : options.subSizeLimit)
    let target = EncodingTarget(
      width: size.width, height: size.height, rate: format.rate, bitrate: slot.bitrate,
      keyFrameInterval: options.keyFrameInterval)
    let emit = emit
    return try EncodePipeline(
      target, input: format, like: sample, onUnit: { bytes, time in emit(stream, bytes, time) },
      onFailure: { [weak self] in self?.encoderFailed(stream, $0) })
  }

  private func encoderFailed(_ stream: MediaStream, _ failure: MediaFailure) {
    let old: EncodePipeline? = slots.withLock { slots in
      defer { slots[stream]?.encoder = nil }
      return slots[stream]?.encoder
    }
    if let old { retire { old.stop() } }
    fail(stream, failure)
  }

  func requestKeyFrame(_ stream: MediaStream) {
    slots.withLock { $0[stream]?.encoder }?.requestKeyFrame()
  }

  func setBitrate(_ stream: MediaStream, _ bitsPerSecond: Int) {
    let encoder: EncodePipeline? = slots.withLock { slots in
      slots[stream]?.bitrate = bitsPerSecond
      return slots[stream]?.encoder
    }
    encoder?.setBitrate(bitsPerSecond)
  }

  func stop() {
    let old = slots.withLock { slots in
      defer { slots = [:] }
      return slots.values.compactMap(\.encoder)
    }
    for encoder in old { encoder.stop() }
  }
}
