/// What Oriel needs of an H.264 sequence parameter set (ITU-T H.264 section 7.3.2.1.1 and Annex E).
struct H264SequenceParameterSet: Equatable {
  var profile: UInt8
  var constraints: UInt8
  var level: UInt8
  var chromaFormat: UInt32 = 1
  var bitDepth: UInt32 = 8
  var pictureOrderCountType: UInt32 = 0
  var isProgressive = true
  var width = 0
  var height = 0
  /// nil when the stream does not say.
  var maximumReorder: UInt32?
  /// Pictures per second; nil when the stream does not say.
  var frameRate: Double?

  /// profile_idc, constraint flags, level_idc as in SDP.
  var profileLevel: String {
    [profile, constraints, level].map { byte in
      let text = String(byte, radix: 16)
      return byte < 16 ? "0" + text : text
    }.joined()
  }

  init?(_ unit: UnsafeRawBufferPointer) {
    guard unit.count > 4, unit[0] & 0x1F == 7 else { return nil }
    profile = unit[1]
    constraints = unit[2]
    level = unit[3]
    var reader = BitReader(escaped: unit, skipping: 4)
    guard parse(&reader) != nil else { return nil }
  }

  private mutating func parse(_ reader: inout BitReader) -> Void? {
    guard let id = reader.unsignedExpGolomb(), id < 32 else { return nil }
    if [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135].contains(profile) {
      guard parseChroma(&reader) != nil else { return nil }
    }
    guard reader.unsignedExpGolomb() != nil, let countType = reader.unsignedExpGolomb(), countType <= 2
    else { return nil }
    pictureOrderCountType = countType
    if countType == 0 {
      guard reader.unsignedExpGolomb() != nil else { return nil }
    } else if countType == 1 {
      guard reader.skip(1), reader.signedExpGolomb() != nil, reader.signedExpGolomb() != nil,
        let cycle = reader.unsignedExpGolomb(), cycle <= 255
      else { return nil }
      for _ in 0..<cycle where reader.signedExpGolomb() == nil { return nil }
    }
    guard reader.unsignedExpGolomb() != nil, reader.skip(1), let columns = reader.unsignedExpGolomb(),
      let rows = reader.unsignedExpGolomb(), columns < 1024, rows < 1024, let frameOnly = reader.flag()
    else { return nil }
    isProgressive = frameOnly
    if !frameOnly { guard reader.skip(1) else { return nil } }
    guard reader.skip(1), let isCropped = reader.flag() else { return nil }
    width = Int(columns + 1) * 16
    height = Int(rows + 1) * 16 * (frameOnly ? 1 : 2)
    if isCropped {
      guard let left = reader.unsignedExpGolomb(), let right = reader.unsignedExpGolomb(),
        let top = reader.unsignedExpGolomb(), let bottom = reader.unsignedExpGolomb()
      else { return nil }
      let unitX = chromaFormat == 0 || chromaFormat == 3 ? 1 : 2
      let unitY = (chromaFormat == 1 ? 2 : 1) * (frameOnly ? 1 : 2)
      width -= (Int(left) + Int(right)) * unitX
      height -= (Int(top) + Int(bottom)) * unitY
    }
    guard width > 0, height > 0, let hasUsability = reader.flag() else { return nil }
    // What follows is optional: a set that breaks off in it still has its size.
    if hasUsability { _ = parseUsability(&reader) }
    return ()
  }

  private mutating func parseChroma(_ reader: inout BitReader) -> Void? {
    guard let format = reader.unsignedExpGolomb(), format <= 3 else { return nil }
    chromaFormat = format
    if format == 3 { guard reader.skip(1) else { return nil } }
    guard let luma = reader.unsignedExpGolomb(), let chroma = reader.unsignedExpGolomb(), luma <= 6,
      chroma <= 6, reader.skip(1), let hasMatrices = reader.flag()
    else { return nil }
    bitDepth = 8 + max(luma, chroma)
    guard hasMatrices else { return () }
    for index in 0..<(format == 3 ? 12 : 8) {
      guard let isPresent = reader.flag() else { return nil }
      guard isPresent else { continue }
      var last: Int32 = 8
      var next: Int32 = 8
      for _ in 0..<(index < 6 ? 16 : 64) {
        if next != 0 {
          guard let delta = reader.signedExpGolomb(), (-128...127).contains(delta) else { return nil }
          next = (last + delta + 256) % 256
        }
        last = next == 0 ? last : next
      }
    }
    return ()
  }

  private mutating func parseUsability(_ reader: inout BitReader) -> Void? {
    guard let hasAspect = reader.flag() else { return nil }
    if hasAspect {
      guard let aspect = reader.bits(8) else { return nil }
      if aspect == 255 { guard reader.skip(32) else { return nil } }
    }
    guard let hasOverscan = reader.flag() else { return nil }
    if hasOverscan { guard reader.skip(1) else { return nil } }
    guard let hasSignal = reader.flag() else { return nil }
    if hasSignal {
      guard reader.skip(4), let hasColour = reader.flag() else { return nil }
      if hasColour { guard reader.skip(24) else { return nil } }
    }
    guard let hasChromaPlace = reader.flag() else { return nil }
    if hasChromaPlace {
      guard reader.unsignedExpGolomb() != nil, reader.unsignedExpGolomb() != nil else { return nil }
    }
    guard let hasTiming = reader.flag() else { return nil }
    if hasTiming {
      guard let units = reader.bits(32), let scale = reader.bits(32), reader.skip(1) else { return nil }
      let rate = units > 0 ? Double(scale) / Double(units) / 2 : 0
      if (0.5...240).contains(rate) { frameRate = rate }
    }
    var hasReference = false
    for _ in 0..<2 {
      guard let isPresent = reader.flag() else { return nil }
      if isPresent {
        hasReference = true
        guard skipReferenceDecoder(&reader) != nil else { return nil }
      }
    }
    if hasReference { guard reader.skip(1) else { return nil } }
    guard reader.skip(1), let hasRestriction = reader.flag(), hasRestriction, reader.skip(1) else {
      return nil
    }
    for _ in 0..<4 where reader.unsignedExpGolomb() == nil { return nil }
    maximumReorder = reader.unsignedExpGolomb()
    return ()
  }

  private func skipReferenceDecoder(_ reader: inout BitReader) -> Void? {
    guard let count = reader.unsignedExpGolomb(), count < 32, reader.skip(8) else { return nil }
    for _ in 0...count {
      guard reader.unsignedExpGolomb() != nil, reader.unsignedExpGolomb() != nil, reader.skip(1) else {
        return nil
      }
    }
    return reader.skip(20) ? () : nil
  }
}

/// The kind of a slice, from the start of its header (ITU-T H.264 section 7.3.3).
enum H264SliceType {
  case intra, predicted, bipredicted

  init?(_ unit: UnsafeRawBufferPointer) {
    var reader = BitReader(escaped: unit, skipping: 1, limit: 16)
    guard reader.unsignedExpGolomb() != nil, let type = reader.unsignedExpGolomb(), type < 10 else {
      return nil
    }
    switch type % 5 {
    case 1: self = .bipredicted
    case 2, 4: self = .intra
    default: self = .predicted
    }
  }
}
