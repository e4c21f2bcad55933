import OrielMedia
import OrielModel
import OrielRTC
import Synchronization

/// Access units to pictures: the decoder of a run and the task that takes its frames.
///
/// The decoder is made off the loop, and in advance, while the connection is being made.
@RTCActor
final class PictureFlow {
  /// Pictures decoded so far.
  nonisolated let frames = Atomic<UInt64>(0)
  /// Whether the next picture is news to the state machine.
  nonisolated let isPictureAwaited = Atomic<Bool>(true)

  private let make: @Sendable (VideoCodec) throws -> any PictureDecoder
  private let outlet: PlayerOutlet
  private let run: Int
  private var codec: VideoCodec?
  private var decoder: (any PictureDecoder)?
  private var backlog: [AccessUnit] = []
  private var tasks: [Task<Void, Never>] = []
  private var isClosed = false
  var onPicture: (() -> Void)?
  var onFailure: ((OrielError) -> Void)?

  /// Units kept while the decoder is being made.
  private static let backlogLimit = 300

  /// The capture time of pictures that are decoded for those that follow, and not shown.
  nonisolated static let hidden: Int64 = -1

  init(outputs: MediaOutputs, outlet: PlayerOutlet, run: Int, isPlayback: Bool = false) {
    make = isPlayback ? outputs.playbackDecoder ?? outputs.decoder : outputs.decoder
    self.outlet = outlet
    self.run = run
  }

  /// Makes the decoder for this codec, unless there is one.
  func prepare(_ codec: VideoCodec) {
    guard !isClosed, codec != self.codec else { return }
    self.codec = codec
    decoder?.close()
    decoder = nil
    backlog = []
    let make = make
    let task = Task.detached {
      let made = Result { try make(codec) }
      await self.take(made, for: codec)
    }
    tasks.append(task)
  }

  func decode(_ unit: AccessUnit) {
    prepare(unit.codec)
    if let decoder {
      decoder.decode(unit)
    } else if !isClosed {
      if unit.isKeyFrame { backlog = [] }
      if backlog.count < Self.backlogLimit { backlog.append(unit) }
    }
  }

  private func take(_ made: Result<any PictureDecoder, any Error>, for codec: VideoCodec) {
    switch made {
    case .success(let decoder):
      guard !isClosed, codec == self.codec, self.decoder == nil else { return decoder.close() }
      self.decoder = decoder
      for unit in backlog { decoder.decode(unit) }
      backlog = []
      tasks.append(consume(decoder.frames))
    case .failure(let error):
      guard !isClosed, codec == self.codec else { return }
      onFailure?(OrielError(anyError: error, other: .mediaLibrary))
    }
  }

  private nonisolated func consume(_ stream: AsyncStream<VideoFrame>) -> Task<Void, Never> {
    Task.detached { [outlet, run] in
      for await frame in stream {
        self.frames.add(1, ordering: .relaxed)
        // Kept before it is announced: who hears of the first picture may ask for it at once.
        guard frame.captureTime != Self.hidden, outlet.keep(frame, in: run) else { continue }
        if self.isPictureAwaited.load(ordering: .relaxed) { await self.pictureCame() }
        outlet.show(frame, in: run)
      }
    }
  }

  private func pictureCame() {
    if !isClosed { onPicture?() }
  }

  /// Lets go of the decoder; the tasks end soon after.
  func close() {
    isClosed = true
    onPicture = nil
    onFailure = nil
    backlog = []
    let decoder = decoder
    self.decoder = nil
    // Taking a pipeline down may wait for its threads: not on the loop.
    if let decoder { tasks.append(Task.detached { decoder.close() }) }
  }

  /// Waits until everything is released.
  func finished() async {
    for task in tasks { await task.value }
  }
}
