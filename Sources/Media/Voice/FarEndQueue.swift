internal import Synchronization

/// Frames of 10 ms on their way from the thread that plays to the thread that captures, held back so long that each
/// meets the captured frame with its echo. One writer, one reader, no lock, no allocation.
// @unchecked: see the marks below for who owns what.
final class FarEndQueue: @unchecked Sendable {
  private static let capacity = 128
  /// Frames that the level may stray from the wanted one before the reader jumps.
  private static let slack = 6
  private static let window = 100

  // The frame of index n lies in slot n % capacity; only the writer touches slots from read + capacity on.
  private let slots: UnsafeMutablePointer<Int16>
  private let written = Atomic(0)
  private let read = Atomic(0)

  // The reader's own.
  private var wanted = 0
  /// How often the reader jumped: what was known of the echo's way is then no longer so.
  private(set) var jumps = 0
  private var hold = 0
  private var isDry = true
  private var lowest = Int.max
  private var sinceCheck = 0

  init() {
    let count = Self.capacity * VoiceForm.frame
    slots = .allocate(capacity: count)
    slots.initialize(repeating: 0, count: count)
  }

  deinit { slots.deallocate() }

  /// Takes a frame of 480 samples; it is lost while nobody reads.
  func write(_ frame: UnsafeBufferPointer<Int16>) {
    let index = written.load(ordering: .relaxed)
    guard index - read.load(ordering: .acquiring) < Self.capacity, let source = frame.baseAddress else {
      return
    }
    slot(index).update(from: source, count: VoiceForm.frame)
    written.store(index + 1, ordering: .releasing)
  }

  /// Copies the frame that was played `delay` frames ago, or silence when none was. Called once per captured frame.
  func next(delay: Int, into target: UnsafeMutablePointer<Int16>) {
    var index = read.load(ordering: .relaxed)
    let level = written.load(ordering: .acquiring) - index
    follow(delay: min(max(delay, 0), Self.capacity / 2), level: level, index: &index)
    if isDry, level > 0 {
      isDry = false
      hold = wanted
      // Whatever gathered while nobody captured is too old.
      index += level - 1
    } else if !isDry, level == 0 {
      isDry = true
      hold = 0
    }
    if isDry || hold > 0 {
      hold = max(hold - 1, 0)
      target.update(repeating: 0, count: VoiceForm.frame)
    } else {
      target.update(from: slot(index), count: VoiceForm.frame)
      index += 1
    }
    read.store(index, ordering: .releasing)
  }

  /// A delay that changed, and devices that do not keep step, are met by a jump; frames that come in twos are not.
  private func follow(delay: Int, level: Int, index: inout Int) {
    guard !isDry else {
      wanted = delay
      (lowest, sinceCheck) = (.max, 0)
      return
    }
    if abs(delay - wanted) >= 3 {
      move(by: delay - wanted, level: level, index: &index)
      wanted = delay
    }
    guard hold == 0 else { return }
    lowest = min(lowest, level - 1)
    sinceCheck += 1
    guard sinceCheck == Self.window else { return }
    if abs(wanted - lowest) > Self.slack { move(by: wanted - lowest, level: level, index: &index) }
    (lowest, sinceCheck) = (.max, 0)
  }

  private func move(by frames: Int, level: Int, index: inout Int) {
    jumps += 1
    if frames > 0 { hold += frames } else { index += min(-frames, max(level - 1, 0)) }
    (lowest, sinceCheck) = (.max, 0)
  }

  private func slot(_ index: Int) -> UnsafeMutablePointer<Int16> {
    slots + index % Self.capacity * VoiceForm.frame
  }
}
