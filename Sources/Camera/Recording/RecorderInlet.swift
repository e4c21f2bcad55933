import OrielMedia
import Synchronization

/// What a camera hands to its recorder.
enum RecordedInput: Sendable {
  case picture(AccessUnit)
  case sound(AudioPacket)
  /// Something happened now.
  case event(name: String)
}

/// The way from the loop to a recorder. It never waits: when the disk stalls longer than there is room for, pictures
/// are left out until the next key frame.
final class RecorderInlet: Sendable {
  /// Bytes of pictures that wait for the recorder.
  static let limit = 24 << 20

  let inputs: AsyncStream<RecordedInput>
  private let continuation: AsyncStream<RecordedInput>.Continuation
  private let waiting = Atomic<Int>(0)
  private let isLeavingOut = Atomic<Bool>(false)
  private let leftOut = Atomic<Int>(0)

  init() { (inputs, continuation) = AsyncStream.makeStream() }

  func put(_ unit: AccessUnit) {
    let isOver = waiting.load(ordering: .relaxed) + unit.bytes.count > Self.limit
    if isOver || (isLeavingOut.load(ordering: .relaxed) && !unit.isKeyFrame) {
      isLeavingOut.store(true, ordering: .relaxed)
      leftOut.add(1, ordering: .relaxed)
      return
    }
    isLeavingOut.store(false, ordering: .relaxed)
    waiting.add(unit.bytes.count, ordering: .relaxed)
    continuation.yield(.picture(unit))
  }

  func put(_ packet: AudioPacket) {
    guard !isLeavingOut.load(ordering: .relaxed) else { return }
    continuation.yield(.sound(packet))
  }

  func put(event name: String) { continuation.yield(.event(name: name)) }

  /// The recorder has an input now.
  func taken(_ input: RecordedInput) {
    if case .picture(let unit) = input { waiting.subtract(unit.bytes.count, ordering: .relaxed) }
  }

  /// Whether pictures wait.
  var isBusy: Bool { waiting.load(ordering: .relaxed) > 0 }

  /// Pictures that were left out since the last call.
  func takeLeftOut() -> Int { leftOut.exchange(0, ordering: .relaxed) }

  func finish() { continuation.finish() }
}
