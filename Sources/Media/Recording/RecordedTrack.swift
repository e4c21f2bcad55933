/// A track of a recording, as the head of the file describes it.
public struct RecordedTrack: Sendable, Codable, Equatable {
  /// Names the track within the file.
  public var id: Int
  /// nil: sound, which is Opus.
  public var video: VideoCodec?
  /// Ticks a second.
  public var timescale: Int
  /// Pixels; 0 for sound.
  public var width: Int
  public var height: Int
  /// What a decoder needs before the first picture: NAL units without start codes.
  public var parameterSets: [[UInt8]]
  /// The samples are sealed.
  public var isEncrypted: Bool
  /// The box that describes the samples (ISO/IEC 14496-12 section 8.5.2), for who writes another file of them.
  public var sampleEntry: [UInt8]
}

/// Reads moov.
struct MovieHead {
  var head: RecordingHead
  var tracks: [RecordedTrack] = []

  static let trackLimit = 4

  /// - Parameter body: what is in the moov box.
  init(_ body: BoxReader) throws {
    var body = body
    var found: RecordingHead?
    while let (type, next) = try body.box() {
      var box = next
      switch type {
      case boxType("trak"):
        guard tracks.count < Self.trackLimit else { throw MediaFailure.malformed("more than 4 tracks") }
        tracks.append(try Self.track(&box))
      case boxType("uuid"):
        if try box.bytes(min(16, box.rest)).elementsEqual(RecordingHead.identifier) {
          found = try RecordingHead(&box)
        }
      default: break
      }
    }
    guard let found else { throw MediaFailure.unsupported("an MP4 that is no recording of Oriel") }
    guard tracks.contains(where: { $0.video != nil }), Set(tracks.map(\.id)).count == tracks.count else {
      throw MediaFailure.noVideo
    }
    head = found
  }

  private static func track(_ trak: inout BoxReader) throws -> RecordedTrack {
    var id = 0
    var timescale = 0
    var entry: ArraySlice<UInt8> = []
    func walk(_ reader: inout BoxReader, _ depth: Int) throws {
      while let (type, next) = try reader.box() {
        var box = next
        switch type {
        case boxType("mdia"), boxType("minf"), boxType("stbl"):
          guard depth < 4 else { throw MediaFailure.malformed("boxes too deep") }
          try walk(&box, depth + 1)
        case boxType("tkhd"):
          _ = try box.bytes(12)
          id = Int(try box.u32())
        case boxType("mdhd"):
          _ = try box.bytes(12)
          timescale = Int(try box.u32())
        case boxType("stsd"):
          _ = try box.bytes(4)
          guard try box.u32() == 1 else { throw MediaFailure.unsupported("several sample entries") }
          entry = try box.bytes(box.rest)
        default: break
        }
      }
    }
    try walk(&trak, 0)
    guard id > 0, (1...1_000_000).contains(timescale) else { throw MediaFailure.malformed("a track's head") }
    return try RecordedTrack(id: id, timescale: timescale, entry: entry)
  }
}

extension RecordedTrack {
  fileprivate init(id: Int, timescale: Int, entry: ArraySlice<UInt8>) throws {
    self.init(
      id: id, video: nil, timescale: timescale, width: 0, height: 0, parameterSets: [], isEncrypted: false,
      sampleEntry: Array(entry))
    var outer = BoxReader(entry)
    guard let (type, first) = try outer.box() else { throw MediaFailure.malformed("no sample entry") }
    var box = first
    switch type {
    case boxType("encv"), boxType("enca"): isEncrypted = true
    case boxType("avc1"), boxType("hvc1"), boxType("Opus"): break
    default: throw MediaFailure.unsupported("a codec that recordings do not have")
    }
    guard type != boxType("Opus"), type != boxType("enca") else { return }
    _ = try box.bytes(24)
    width = Int(try box.u16())
    height = Int(try box.u16())
    _ = try box.bytes(50)
    while let (type, next) = try box.box() {
      var inner = next
      switch type {
      case boxType("avcC"):
        video = .h264
        try readAVC(&inner)
      case boxType("hvcC"):
        video = .h265
        try readHEVC(&inner)
      default: break
      }
    }
    guard video != nil else { throw MediaFailure.malformed("a sample entry without its configuration") }
  }

  private mutating func readAVC(_ box: inout BoxReader) throws {
    _ = try box.bytes(4)
    guard try box.u8() & 3 == 3 else { throw MediaFailure.unsupported("lengths that are not 4 bytes") }
    for mask in [31, 255] as [UInt8] {
      for _ in 0..<(try box.u8() & mask) { parameterSets.append(Array(try box.bytes(Int(try box.u16())))) }
    }
    try checkSets()
  }

  private mutating func readHEVC(_ box: inout BoxReader) throws {
    _ = try box.bytes(21)
    guard try box.u8() & 3 == 3 else { throw MediaFailure.unsupported("lengths that are not 4 bytes") }
    for _ in 0..<(try box.u8()) {
      _ = try box.u8()
      for _ in 0..<(try box.u16()) {
        parameterSets.append(Array(try box.bytes(Int(try box.u16()))))
        guard parameterSets.count <= 3 * ParameterSets.limitPerKind else { break }
      }
    }
    try checkSets()
  }

  private func checkSets() throws {
    guard parameterSets.count <= 3 * ParameterSets.limitPerKind,
      parameterSets.allSatisfy({ !$0.isEmpty && $0.count <= ParameterSets.limitPerSet })
    else { throw MediaFailure.malformed("parameter sets") }
  }
}
