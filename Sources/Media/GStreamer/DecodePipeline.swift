internal import Synchronization

/// Decodes access units to I420 with no delay of its own. Times are numbered inside, so that any will do.
final class DecodePipeline: Sendable {
  /// What goes with an access unit around the decoder.
  struct Label: Sendable {
    var timestamp: Duration
    var captureTime: Int64
  }

  /// More units than this waiting means that the machine is too slow: pass over to the next key frame.
  private let waitingLimit: Int

  private struct State {
    var number: UInt64 = 0
    var labels: [(number: UInt64, label: Label)] = []
    var needsKeyFrame = true
  }

  private let pipeline: Pipeline
  private let input: PipelineElement
  private let state = Mutex(State())
  /// Numbers are spaced as presentation times so that no parser finds them odd.
  private static let spacing: UInt64 = 1_000_000

  /// - Parameter onPicture: called on the decoder's thread.
  init(
    codec: VideoCodec, waitingLimit: Int, onPicture: @escaping @Sendable (MediaSample, Label) -> Void,
    onFailure: @escaping @Sendable (MediaFailure) -> Void
  ) throws {
    let caps =
      codec == .h264
      ? "video/x-h264,stream-format=byte-stream,alignment=au"
      : "video/x-h265,stream-format=byte-stream,alignment=au"
    let decoder = codec == .h264 ? "avdec_h264" : "avdec_h265"
    self.waitingLimit = waitingLimit
    // One thread: frame threads would hold back as many pictures as there are threads.
    pipeline = try Pipeline(
      """
      appsrc name=in format=time is-live=true max-bytes=0 max-buffers=0 max-time=0 caps="\(caps)" \
      ! \(decoder) max-threads=1 max-errors=-1 ! videoconvert ! video/x-raw,format=I420 \
      ! appsink name=out sync=false async=false enable-last-sample=false
      """,
      onMessage: { message in
        if case .error(let error) = message { onFailure(MediaFailure(decoding: error)) }
      })
    guard let input = pipeline.element("in") else { throw MediaFailure.pipeline("no input") }
    self.input = input
    pipeline.onSample("out") { [weak self] sample in
      guard let self, let label = self.label(of: sample) else { return }
      onPicture(sample, label)
    }
    try pipeline.start()
  }

  private func label(of sample: MediaSample) -> Label? {
    let number = (sample.presentationTime ?? 0) / Self.spacing
    return state.withLock { state in
      guard let index = state.labels.firstIndex(where: { $0.number == number }) else { return nil }
      return state.labels.remove(at: index).label
    }
  }

  /// Returns at once. Units before the first key frame are passed over.
  func push(_ unit: AccessUnit) {
    guard !unit.bytes.isEmpty else { return }
    let isBehind = input.queued > waitingLimit
    let number: UInt64? = state.withLock { state in
      if isBehind { state.needsKeyFrame = true }
      if state.needsKeyFrame {
        guard unit.isKeyFrame, !isBehind else { return nil }
        state.needsKeyFrame = false
      }
      state.number += 1
      state.labels.append(
        (state.number, Label(timestamp: unit.timestamp, captureTime: unit.captureTime)))
      if state.labels.count > waitingLimit + 98 { state.labels.removeFirst() }
      return state.number
    }
    guard let number else { return }
    unit.bytes.withUnsafeBytes { _ = input.push($0, at: number * Self.spacing) }
  }

  func stop() { pipeline.stop() }
}
