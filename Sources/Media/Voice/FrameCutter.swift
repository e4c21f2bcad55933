internal import CGStreamer

/// Cuts samples of a pipeline, as long as they happen to be, into frames of 10 ms.
// @unchecked: belongs to the one streaming thread that calls it.
final class FrameCutter: @unchecked Sendable {
  private let frame: UnsafeMutableBufferPointer<Int16>
  private var filled = 0
  /// Whether no frame was whole yet.
  private(set) var isFresh = true
  private let take: @Sendable (UnsafeMutableBufferPointer<Int16>) -> Void

  init(_ take: @escaping @Sendable (UnsafeMutableBufferPointer<Int16>) -> Void) {
    self.take = take
    frame = .allocate(capacity: VoiceForm.frame)
    frame.initialize(repeating: 0)
  }

  deinit { frame.deallocate() }

  /// Takes sound of ``caps(rate:)``.
  func push(_ sample: MediaSample) {
    guard let buffer = sample.buffer, let base = frame.baseAddress else { return }
    let count = Int(gst_buffer_get_size(buffer)) / 2
    var offset = 0
    while offset < count {
      let part = min(count - offset, VoiceForm.frame - filled)
      gst_buffer_extract(buffer, gsize(offset * 2), base + filled, gsize(part * 2))
      offset += part
      filled += part
      if filled == VoiceForm.frame {
        filled = 0
        isFresh = false
        take(frame)
      }
    }
  }

  /// Gives what is left, with silence behind it.
  func finish() {
    guard filled > 0 else { return }
    frame[filled...].update(repeating: 0)
    filled = 0
    isFresh = false
    take(frame)
  }

  static func caps(rate: Int) -> String {
    "audio/x-raw,format=S16LE,layout=interleaved,rate=\(rate),channels=1"
  }

  /// To frames' form from whatever a device or a file gives.
  static let conversion = "audioconvert ! audioresample ! \(caps(rate: VoiceForm.rate))"
}
