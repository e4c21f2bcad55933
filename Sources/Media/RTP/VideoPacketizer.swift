/// RTP payloads one after the other.
public struct PayloadBatch: Sendable, Equatable {
  public var bytes: [UInt8]
  /// The length of each payload, in order; their sum is the number of bytes.
  public var lengths: [Int]

  public init(bytes: [UInt8] = [], lengths: [Int] = []) {
    self.bytes = bytes
    self.lengths = lengths
  }
}

/// Cuts access units into RTP payloads: H.264 by RFC 6184 (packetization mode 1), H.265 by RFC 7798.
///
/// The fragments of one NAL unit have one size except the last, which may be shorter, so that they can leave
/// in one call (UDP segmentation). Parameter sets and other small units travel together. Access unit
/// delimiters and filler are left out.
public struct VideoPacketizer: Sendable {
  public let codec: VideoCodec
  public let maximumPayload: Int

  /// - Parameter maximumPayload: bytes of a payload, 100...65000; RTP header not counted.
  public init(codec: VideoCodec, maximumPayload: Int = 1160) {
    self.codec = codec
    self.maximumPayload = min(max(maximumPayload, 100), 65000)
  }

  /// The last payload of the batch gets the RTP marker. The batch is empty when the unit holds no NAL unit.
  public mutating func packetize(_ unit: AccessUnit) -> PayloadBatch {
    unit.bytes.withUnsafeBytes { packetize($0) }
  }

  /// The same for bytes that are not in an access unit yet.
  public mutating func packetize(_ stream: UnsafeRawBufferPointer) -> PayloadBatch {
    var batch = PayloadBatch()
    batch.bytes.reserveCapacity(stream.count + stream.count / 64 + 64)
    batch.lengths.reserveCapacity(stream.count / maximumPayload + 4)
    // Small units that wait for company, as ranges of the stream.
    var waiting: [UnsafeRawBufferPointer] = []
    var waitingSize = headerSize
    AnnexB.forEachUnit(in: stream) { unit in
      guard unit.count > headerSize - 1, unit.count >= (codec == .h265 ? 3 : 2) else { return }
      let kind = UnitKind(header: unit[0], codec: codec)
      if kind == .delimiter || kind == .filler { return }
      let isSmall = unit.count + headerSize + 2 <= maximumPayload && unit.count <= 0xFFFF
      let isSlice = if case .slice = kind { true } else { false }
      if isSmall && !isSlice {
        if waitingSize + 2 + unit.count > maximumPayload { flush(&waiting, &waitingSize, to: &batch) }
        waiting.append(unit)
        waitingSize += 2 + unit.count
        return
      }
      flush(&waiting, &waitingSize, to: &batch)
      if unit.count <= maximumPayload {
        batch.bytes.append(contentsOf: unit)
        batch.lengths.append(unit.count)
      } else {
        fragment(unit, to: &batch)
      }
    }
    flush(&waiting, &waitingSize, to: &batch)
    return batch
  }

  /// Of a NAL unit, and so of an aggregation packet.
  private var headerSize: Int { codec == .h264 ? 1 : 2 }

  private func flush(
    _ waiting: inout [UnsafeRawBufferPointer], _ size: inout Int, to batch: inout PayloadBatch
  ) {
    defer {
      waiting.removeAll(keepingCapacity: true)
      size = headerSize
    }
    guard let first = waiting.first else { return }
    if waiting.count == 1 {
      batch.bytes.append(contentsOf: first)
      batch.lengths.append(first.count)
      return
    }
    switch codec {
    case .h264:
      // STAP-A, RFC 6184 section 5.7.1: the highest nal_ref_idc of those inside.
      let reference = waiting.reduce(0) { max($0, $1[0] & 0x60) }
      batch.bytes.append(reference | 24)
    case .h265:
      // Aggregation packet, RFC 7798 section 4.4.2: the lowest layer and temporal id of those inside.
      let layer = waiting.reduce(UInt16.max) { min($0, UInt16($1[0] & 1) << 8 | UInt16($1[1])) }
      batch.bytes.append(48 << 1 | UInt8(layer >> 8 & 1))
      batch.bytes.append(UInt8(layer & 0xFF))
    }
    for unit in waiting {
      batch.bytes.append(UInt8(unit.count >> 8))
      batch.bytes.append(UInt8(unit.count & 0xFF))
      batch.bytes.append(contentsOf: unit)
    }
    batch.lengths.append(size)
  }

  private func fragment(_ unit: UnsafeRawBufferPointer, to batch: inout PayloadBatch) {
    let overhead = headerSize + 1
    let body = unit.count - headerSize
    let pieces = (body + maximumPayload - overhead - 1) / (maximumPayload - overhead)
    let piece = (body + pieces - 1) / pieces
    var position = headerSize
    while position < unit.count {
      let end = min(position + piece, unit.count)
      let edge: UInt8 = position == headerSize ? 0x80 : end == unit.count ? 0x40 : 0
      switch codec {
      case .h264:
        // FU-A, RFC 6184 section 5.8.
        batch.bytes.append(unit[0] & 0xE0 | 28)
        batch.bytes.append(edge | unit[0] & 0x1F)
      case .h265:
        // Fragmentation unit, RFC 7798 section 4.4.3.
        batch.bytes.append(unit[0] & 0x81 | 49 << 1)
        batch.bytes.append(unit[1])
        batch.bytes.append(edge | (unit[0] >> 1) & 0x3F)
      }
      batch.bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: unit[position..<end]))
      batch.lengths.append(overhead + end - position)
      position = end
    }
  }
}
