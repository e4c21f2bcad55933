/// The parameter sets last seen in a stream, so that each key frame can carry them in front.
struct ParameterSets: Sendable, Equatable {
  /// More sets of one kind, or larger ones, than any real stream has are not kept.
  static let limitPerKind = 32
  static let limitPerSet = 4096

  private(set) var video: [[UInt8]] = []
  private(set) var sequence: [[UInt8]] = []
  private(set) var picture: [[UInt8]] = []

  func isComplete(for codec: VideoCodec) -> Bool {
    !sequence.isEmpty && !picture.isEmpty && (codec == .h264 || !video.isEmpty)
  }

  /// All sets in the order a decoder needs them.
  var all: [[UInt8]] { video + sequence + picture }

  func contains(_ unit: UnsafeRawBufferPointer) -> Bool {
    func isAmong(_ sets: [[UInt8]]) -> Bool {
      sets.contains { $0.count == unit.count && $0.elementsEqual(unit) }
    }
    return isAmong(sequence) || isAmong(picture) || isAmong(video)
  }

  /// Remembers a set; one with the same identifier is replaced.
  mutating func keep(_ unit: UnsafeRawBufferPointer, _ kind: ParameterSetKind, codec: VideoCodec) {
    guard unit.count <= Self.limitPerSet else { return }
    switch kind {
    case .video: Self.replace(unit, in: &video, kind, codec)
    case .sequence: Self.replace(unit, in: &sequence, kind, codec)
    case .picture: Self.replace(unit, in: &picture, kind, codec)
    }
  }

  private static func replace(
    _ unit: UnsafeRawBufferPointer, in sets: inout [[UInt8]], _ kind: ParameterSetKind, _ codec: VideoCodec
  ) {
    if sets.contains(where: { $0.count == unit.count && $0.elementsEqual(unit) }) { return }
    let id = identifier(unit, kind, codec)
    if let index = sets.firstIndex(where: { $0.withUnsafeBytes { identifier($0, kind, codec) } == id }) {
      sets[index] = Array(unit)
    } else if sets.count < limitPerKind {
      sets.append(Array(unit))
    }
  }

  private static func identifier(
    _ unit: UnsafeRawBufferPointer, _ kind: ParameterSetKind, _ codec: VideoCodec
  )
    -> Int
  {
    switch (codec, kind) {
    case (_, .picture):
      var reader = BitReader(escaped: unit, skipping: codec == .h264 ? 1 : 2, limit: 16)
      return Int(reader.unsignedExpGolomb() ?? 0)
    case (.h264, .sequence):
      var reader = BitReader(escaped: unit, skipping: 4, limit: 16)
      return Int(reader.unsignedExpGolomb() ?? 0)
    case (.h265, .sequence):
      return H265SequenceParameterSet(unit)?.identifier ?? 0
    case (_, .video):
      return unit.count > 2 ? Int(unit[2] >> 4) : 0
    }
  }
}
