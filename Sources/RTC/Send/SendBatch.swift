/// Packets of one viewer that leave in one GSO send: all of one length but the last, which may be shorter.
@RTCActor
final class SendBatch {
  /// What one sendmsg with UDP_SEGMENT takes.
  private static let maximumSegments = 64
  private static let maximumBytes = 65_000

  private let buffer = UnsafeMutableRawPointer.allocate(byteCount: 65_536, alignment: 64)
  private var count = 0
  private var segments = 0
  private var segmentSize = 0
  private var isClosed = false

  isolated deinit { buffer.deallocate() }

  /// Where the next packet, of `length` bytes, is to be written. Sends what stands before when the packet
  /// does not fit behind it.
  @inline(__always)
  func place(_ length: Int, path: any DatagramPath) -> UnsafeMutableRawPointer {
    if count > 0,
      isClosed || length > segmentSize || segments == Self.maximumSegments
        || count + length > Self.maximumBytes
    {
      flush(path)
    }
    return buffer + count
  }

  /// The packet has been written.
  @inline(__always)
  func commit(_ length: Int) {
    if count == 0 { segmentSize = length }
    isClosed = length < segmentSize
    count += length
    segments += 1
  }

  func flush(_ path: any DatagramPath) {
    guard count > 0 else { return }
    path.send(UnsafeRawBufferPointer(start: buffer, count: count), segmentSize: segmentSize)
    count = 0
    segments = 0
    isClosed = false
  }
}
