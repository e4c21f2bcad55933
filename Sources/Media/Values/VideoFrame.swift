/// A decoded picture: planar YCbCr 4:2:0, 8 bits (I420).
///
/// The samples are shared, not copied, when a frame is passed on.
public struct VideoFrame: Sendable {
  /// Width in pixels.
  public let width: Int
  /// Height in pixels.
  public let height: Int
  /// Bytes from one row to the next of the planes Y, U, V.
  public let strides: [Int]
  /// Presentation time on the scale of the access units.
  public let timestamp: Duration
  /// As in the access unit it was decoded from.
  public let captureTime: Int64
  let storage: any FrameStorage

  init(
    width: Int, height: Int, strides: [Int], timestamp: Duration, captureTime: Int64,
    storage: any FrameStorage
  ) {
    self.width = width
    self.height = height
    self.strides = strides
    self.timestamp = timestamp
    self.captureTime = captureTime
    self.storage = storage
  }

  /// Takes three tightly packed planes, Y then U then V.
  /// - Returns: nil when the size is odd, not positive or over 16384, or the bytes do not fit it.
  public init?(
    width: Int, height: Int, packed: [UInt8], timestamp: Duration = .zero, captureTime: Int64 = 0
  ) {
    guard (2...16384).contains(width), (2...16384).contains(height), width % 2 == 0, height % 2 == 0,
      packed.count == width * height * 3 / 2
    else { return nil }
    let storage = PackedFrame(bytes: packed, width: width, height: height)
    self.init(
      width: width, height: height, strides: [width, width / 2, width / 2], timestamp: timestamp,
      captureTime: captureTime, storage: storage)
  }

  /// Lends the planes Y, U, V; each is at least stride x rows long. The pointers end with the call.
  public func withPlanes<Result>(
    _ body: (_ y: UnsafeRawBufferPointer, _ u: UnsafeRawBufferPointer, _ v: UnsafeRawBufferPointer) throws
      -> Result
  ) rethrows -> Result {
    try withExtendedLifetime(storage) { try body(storage.planes[0], storage.planes[1], storage.planes[2]) }
  }

  /// The three planes without padding, Y then U then V.
  public func packed() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(width * height * 3 / 2)
    withPlanes { y, u, v in
      for (plane, stride, columns, rows) in [
        (y, strides[0], width, height), (u, strides[1], (width + 1) / 2, (height + 1) / 2),
        (v, strides[2], (width + 1) / 2, (height + 1) / 2),
      ] {
        for row in 0..<rows where row * stride + columns <= plane.count {
          bytes.append(contentsOf: plane[row * stride..<row * stride + columns])
        }
      }
    }
    return bytes
  }
}

/// What keeps the samples of a frame alive.
protocol FrameStorage: AnyObject, Sendable {
  /// Y, U, V; valid as long as the object lives.
  var planes: [UnsafeRawBufferPointer] { get }
}

/// Samples in memory of our own.
private final class PackedFrame: FrameStorage {
  // Written only here, read-only afterwards, freed with the object: safe to share.
  nonisolated(unsafe) let planes: [UnsafeRawBufferPointer]
  nonisolated(unsafe) private let memory: UnsafeMutableRawBufferPointer

  init(bytes: [UInt8], width: Int, height: Int) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
    memory.copyBytes(from: bytes)
    let all = UnsafeRawBufferPointer(memory)
    let luma = width * height
    planes = [
      UnsafeRawBufferPointer(rebasing: all[0..<luma]),
      UnsafeRawBufferPointer(rebasing: all[luma..<luma + luma / 4]),
      UnsafeRawBufferPointer(rebasing: all[(luma + luma / 4)...]),
    ]
    self.memory = memory
  }

  deinit { memory.deallocate() }
}
