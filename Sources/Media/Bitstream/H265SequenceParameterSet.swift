/// What Oriel needs of an H.265 sequence parameter set (ITU-T H.265 section 7.3.2.2).
struct H265SequenceParameterSet: Equatable {
  var identifier = 0
  /// The twelve bytes of general_profile_space to general_level_idc, as an hvcC box holds them.
  var profileTierLevel: [UInt8] = []
  var profile: UInt8 = 0
  var chromaFormat: UInt32 = 1
  var bitDepthLuma: UInt32 = 8
  var bitDepthChroma: UInt32 = 8
  var isProgressive = true
  var width = 0
  var height = 0
  var maximumReorder: UInt32 = 0
  var temporalLayers: UInt32 = 1

  var bitDepth: UInt32 { max(bitDepthLuma, bitDepthChroma) }

  init?(_ unit: UnsafeRawBufferPointer) {
    guard unit.count > 15, (unit[0] >> 1) & 0x3F == 33 else { return nil }
    var reader = BitReader(escaped: unit, skipping: 2)
    guard parse(&reader) != nil else { return nil }
  }

  private mutating func parse(_ reader: inout BitReader) -> Void? {
    guard reader.skip(4), let layers = reader.bits(3), layers < 7, reader.skip(1) else { return nil }
    temporalLayers = layers + 1
    for _ in 0..<12 {
      guard let byte = reader.bits(8) else { return nil }
      profileTierLevel.append(UInt8(byte))
    }
    profile = profileTierLevel[0] & 0x1F
    // general_interlaced_source_flag without general_progressive_source_flag.
    isProgressive = !(profileTierLevel[5] & 0x40 != 0 && profileTierLevel[5] & 0x80 == 0)
    guard skipSubLayers(&reader, layers) != nil else { return nil }
    guard let id = reader.unsignedExpGolomb(), id < 16, let format = reader.unsignedExpGolomb(), format <= 3
    else { return nil }
    identifier = Int(id)
    chromaFormat = format
    if format == 3 { guard reader.skip(1) else { return nil } }
    guard let columns = reader.unsignedExpGolomb(), let rows = reader.unsignedExpGolomb(),
      (1...16384).contains(columns), (1...16384).contains(rows), let isCropped = reader.flag()
    else { return nil }
    width = Int(columns)
    height = Int(rows)
    if isCropped {
      guard let left = reader.unsignedExpGolomb(), let right = reader.unsignedExpGolomb(),
        let top = reader.unsignedExpGolomb(), let bottom = reader.unsignedExpGolomb()
      else { return nil }
      width -= (Int(left) + Int(right)) * (format == 1 || format == 2 ? 2 : 1)
      height -= (Int(top) + Int(bottom)) * (format == 1 ? 2 : 1)
    }
    guard width > 0, height > 0, let luma = reader.unsignedExpGolomb(),
      let chroma = reader.unsignedExpGolomb(), luma <= 8, chroma <= 8, reader.unsignedExpGolomb() != nil,
      let perLayer = reader.flag()
    else { return nil }
    bitDepthLuma = 8 + luma
    bitDepthChroma = 8 + chroma
    for _ in (perLayer ? 0 : layers)...layers {
      guard reader.unsignedExpGolomb() != nil, let reorder = reader.unsignedExpGolomb(), reorder <= 16,
        reader.unsignedExpGolomb() != nil
      else { return nil }
      maximumReorder = reorder
    }
    return ()
  }

  private func skipSubLayers(_ reader: inout BitReader, _ layers: UInt32) -> Void? {
    guard layers > 0 else { return () }
    var present: [(profile: Bool, level: Bool)] = []
    for _ in 0..<layers {
      guard let profile = reader.flag(), let level = reader.flag() else { return nil }
      present.append((profile, level))
    }
    guard reader.skip(Int(8 - layers) * 2) else { return nil }
    for layer in present {
      guard reader.skip((layer.profile ? 88 : 0) + (layer.level ? 8 : 0)) else { return nil }
    }
    return ()
  }
}
