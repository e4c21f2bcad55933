/// The byte stream format: NAL units behind start codes (ITU-T H.264 and H.265, Annex B).
enum AnnexB {
  static let startCode: [UInt8] = [0, 0, 0, 1]

  /// Calls `body` with the bytes of each NAL unit, start code and trailing zeros left out, in order.
  static func forEachUnit(
    in stream: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) rethrows {
    var begin: Int?
    var position = 0
    let count = stream.count
    while position + 2 < count {
      let third = stream[position + 2]
      if third > 1 {
        position += 3
      } else if third == 1 && stream[position] == 0 && stream[position + 1] == 0 {
        try emit(stream, begin, position, body)
        begin = position + 3
        position += 3
      } else {
        position += 1
      }
    }
    try emit(stream, begin, count, body)
  }

  private static func emit(
    _ stream: UnsafeRawBufferPointer, _ begin: Int?, _ end: Int,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) rethrows {
    guard let begin else { return }
    var end = end
    while end > begin && stream[end - 1] == 0 { end -= 1 }
    if end > begin { try body(UnsafeRawBufferPointer(rebasing: stream[begin..<end])) }
  }

  static func append(_ unit: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: startCode)
    bytes.append(contentsOf: unit)
  }
}

/// What a NAL unit is for, in the words both codecs share.
enum UnitKind: Equatable {
  /// VPS, SPS or PPS.
  case parameterSet(ParameterSetKind)
  /// A slice; `isKey` when it belongs to an IDR (H.264) or IRAP (H.265) picture.
  case slice(isKey: Bool)
  case delimiter
  case filler
  case supplement
  case other

  init(header: UInt8, codec: VideoCodec) {
    switch codec {
    case .h264:
      switch header & 0x1F {
      case 1...4: self = .slice(isKey: false)
      case 5: self = .slice(isKey: true)
      case 6: self = .supplement
      case 7: self = .parameterSet(.sequence)
      case 8: self = .parameterSet(.picture)
      case 9: self = .delimiter
      case 12: self = .filler
      default: self = .other
      }
    case .h265:
      switch (header >> 1) & 0x3F {
      case 16...21: self = .slice(isKey: true)
      case 0...31: self = .slice(isKey: false)
      case 32: self = .parameterSet(.video)
      case 33: self = .parameterSet(.sequence)
      case 34: self = .parameterSet(.picture)
      case 35: self = .delimiter
      case 38: self = .filler
      case 39, 40: self = .supplement
      default: self = .other
      }
    }
  }
}

enum ParameterSetKind: Int, CaseIterable {
  case video, sequence, picture
}
