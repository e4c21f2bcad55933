/// A track of a recording, as the head of the file describes it.
public struct RecordedTrack: Sendable, Codable, Equatable {
  /// Names the track within the file.
  public var id: Int
  /// nil: sound.
  public var video: VideoCodec?
  /// nil: pictures.
  public var sound: AudioForm?
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
      id: id, video: nil, sound: nil, timescale: timescale, width: 0, height: 0, parameterSets: [],
      isEncrypted: false,
      sampleEntry: Array(entry))
    var outer = BoxReader(entry)
    guard let (type, first) = try outer.box() else { throw MediaFailure.malformed("no sample entry") }
    var box = first
    switch type {
    case boxType("encv"), boxType("enca"): isEncrypted = true
    case boxType("avc1"), boxType("hvc1"): break
    case boxType("Opus"): sound = .opus
    case boxType("mp4a"): sound = .aac(try Self.readAAC(&box))
    default: throw MediaFailure.unsupported("a codec that recordings do not have")
    }
    if type == boxType("enca") { sound = .opus }
    guard sound == nil else { return }
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

  /// The AudioSpecificConfig in the descriptors of an esds box (ISO/IEC 14496-1 section 7.2.6).
  private static func readAAC(_ entry: inout BoxReader) throws -> AACConfiguration {
    _ = try entry.bytes(28)
    while let (type, next) = try entry.box() {
      guard type == boxType("esds") else { continue }
      var box = next
      _ = try box.bytes(4)
      // Each descriptor lies at the end of what is fixed in the one around it.
      for (tag, fixed) in [(3, 3), (4, 13)] as [(UInt8, Int)] {
        box = try descriptor(tag, in: &box)
        _ = try box.bytes(fixed)
      }
      var specific = try descriptor(5, in: &box)
      if let found = AACConfiguration(Array(try specific.bytes(specific.rest))) { return found }
    }
    throw MediaFailure.unsupported("a kind of AAC that recordings do not have")
  }

  private static func descriptor(_ tag: UInt8, in box: inout BoxReader) throws -> BoxReader {
    guard try box.u8() == tag else { throw MediaFailure.malformed("a descriptor of AAC") }
    var size = 0
    for _ in 0..<4 {
      let byte = try box.u8()
      size = size << 7 | Int(byte & 0x7F)
      if byte & 0x80 == 0 { break }
    }
    return BoxReader(try box.bytes(size))
  }

  private func checkSets() throws {
    guard parameterSets.count <= 3 * ParameterSets.limitPerKind,
      parameterSets.allSatisfy({ !$0.isEmpty && $0.count <= ParameterSets.limitPerSet })
    else { throw MediaFailure.malformed("parameter sets") }
  }
}
