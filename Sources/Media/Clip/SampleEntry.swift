/// How the samples of a clip are encoded: what an stsd box holds.
struct VideoSampleEntry: Equatable {
  let codec: VideoCodec
  let sets: ParameterSets
  let width: Int
  let height: Int
  /// Players are told that they cannot read the samples.
  var isEncrypted = false

  /// nil when the sets do not describe a picture.
  init?(codec: VideoCodec, sets: ParameterSets) {
    guard sets.isComplete(for: codec), let sequence = sets.sequence.last else { return nil }
    let size: (Int, Int)? = sequence.withUnsafeBytes { unit in
      switch codec {
      case .h264: H264SequenceParameterSet(unit).map { ($0.width, $0.height) }
      case .h265: H265SequenceParameterSet(unit).map { ($0.width, $0.height) }
      }
    }
    guard let size, size.0 <= 0xFFFF, size.1 <= 0xFFFF else { return nil }
    self.codec = codec
    self.sets = sets
    (width, height) = size
  }

  func write(_ box: inout BoxBuilder) {
    let format = codec == .h264 ? "avc1" : "hvc1"
    box.box(isEncrypted ? "encv" : format) { entry in
      entry.zeros(6)
      entry.u16(1)
      entry.zeros(16)
      entry.u16(width)
      entry.u16(height)
      entry.u32(0x48_0000)
      entry.u32(0x48_0000)
      entry.u32(0)
      entry.u16(1)
      entry.zeros(32)
      entry.u16(24)
      entry.u16(0xFFFF)
      codec == .h264 ? writeAVCConfiguration(&entry) : writeHEVCConfiguration(&entry)
      if isEncrypted { ProtectionScheme.write(format: format, &entry) }
    }
  }

  /// ISO/IEC 14496-15 section 5.3.3.1.
  private func writeAVCConfiguration(_ entry: inout BoxBuilder) {
    guard let first = sets.sequence.last else { return }
    entry.box("avcC") { box in
      box.raw([1, first[1], first[2], first[3], 0xFF, 0xE0 | UInt8(sets.sequence.count & 31)])
      for set in sets.sequence {
        box.u16(set.count)
        box.raw(set)
      }
      box.u8(UInt8(sets.picture.count & 0xFF))
      for set in sets.picture {
        box.u16(set.count)
        box.raw(set)
      }
      let parsed = first.withUnsafeBytes { H264SequenceParameterSet($0) }
      if let parsed, ![66, 77, 88].contains(parsed.profile) {
        let depth = UInt8(parsed.bitDepth - 8)
        box.raw([0xFC | UInt8(parsed.chromaFormat), 0xF8 | depth, 0xF8 | depth, 0])
      }
    }
  }

  /// ISO/IEC 14496-15 section 8.3.3.1.
  private func writeHEVCConfiguration(_ entry: inout BoxBuilder) {
    guard let parsed = sets.sequence.last?.withUnsafeBytes({ H265SequenceParameterSet($0) }) else { return }
    entry.box("hvcC") { box in
      box.u8(1)
      box.raw(parsed.profileTierLevel)
      box.u16(0xF000)
      box.u8(0xFC)
      box.u8(0xFC | UInt8(parsed.chromaFormat))
      box.u8(0xF8 | UInt8(parsed.bitDepthLuma - 8))
      box.u8(0xF8 | UInt8(parsed.bitDepthChroma - 8))
      box.u16(0)
      box.u8(UInt8(parsed.temporalLayers) << 3 | 3)
      box.u8(3)
      for (type, units) in [(32, sets.video), (33, sets.sequence), (34, sets.picture)] {
        box.u8(0x80 | UInt8(type))
        box.u16(units.count)
        for unit in units {
          box.u16(unit.count)
          box.raw(unit)
        }
      }
    }
  }
}

/// How sealed samples are announced (ISO/IEC 14496-12 section 8.12).
enum ProtectionScheme {
  /// Of our own: nobody else has a name for how Oriel seals.
  static let name = "orl1"

  /// Players without the key must refuse the file. FFmpeg and Chromium look at `frma` alone and decode noise when
  /// it names a codec they know; so it names the scheme, and the codec's own name is in the scheme's box.
  static func write(format: String, _ entry: inout BoxBuilder) {
    entry.box("sinf") { sinf in
      sinf.box("frma") { $0.name(name) }
      sinf.fullBox("schm") { box in
        box.name(name)
        box.u32(0x1_0000)
      }
      sinf.box("schi") { schi in schi.box("orlf") { $0.name(format) } }
    }
  }
}
