/// Looks at a stream and says whether browsers can show it as it is.
struct StreamInspector: Sendable {
  /// What one access unit turned out to be.
  struct Finding {
    var isKeyFrame = false
    var hasPicture = false
    var hasBipredicted = false
    var carriesSets = false
    /// The size, profile or another property of the stream changed here.
    var isNewFormat = false
  }

  /// What the sequence parameter set says.
  struct Format: Equatable, Sendable {
    var width: Int
    var height: Int
    var rate: Double
    var profileLevel: String?
    /// Why it cannot be passed on; nil when it can.
    var obstacle: String?
  }

  let codec: VideoCodec
  let allowH265: Bool
  private(set) var sets = ParameterSets()
  private(set) var format: Format?
  private var lastSequenceSet: [UInt8] = []

  init(codec: VideoCodec, allowH265: Bool) {
    self.codec = codec
    self.allowH265 = allowH265
  }

  mutating func inspect(_ bytes: [UInt8]) -> Finding {
    var finding = Finding()
    var kinds: Set<ParameterSetKind> = []
    bytes.withUnsafeBytes { stream in
      AnnexB.forEachUnit(in: stream) { unit in
        switch UnitKind(header: unit[0], codec: codec) {
        case .slice(let isKey):
          finding.hasPicture = true
          if isKey { finding.isKeyFrame = true }
          if codec == .h264, H264SliceType(unit) == .bipredicted { finding.hasBipredicted = true }
        case .parameterSet(let kind):
          sets.keep(unit, kind, codec: codec)
          kinds.insert(kind)
          if kind == .sequence, note(sequenceSet: unit) { finding.isNewFormat = true }
        default: break
        }
      }
    }
    finding.carriesSets = kinds.count >= (codec == .h264 ? 2 : 3)
    return finding
  }

  /// The bytes with the parameter sets in front.
  func withSets(_ bytes: [UInt8]) -> [UInt8] {
    var whole: [UInt8] = []
    for set in sets.all { set.withUnsafeBytes { AnnexB.append($0, to: &whole) } }
    return whole + bytes
  }

  private mutating func note(sequenceSet unit: UnsafeRawBufferPointer) -> Bool {
    guard !lastSequenceSet.elementsEqual(unit) else { return false }
    lastSequenceSet = Array(unit)
    let before = format
    switch codec {
    case .h264:
      guard let set = H264SequenceParameterSet(unit) else { return false }
      format = Format(
        width: set.width, height: set.height, rate: set.frameRate ?? 0, profileLevel: set.profileLevel,
        obstacle: Self.obstacle(set))
    case .h265:
      guard let set = H265SequenceParameterSet(unit) else { return false }
      format = Format(
        width: set.width, height: set.height, rate: 0, profileLevel: nil,
        obstacle: Self.obstacle(set, allowed: allowH265))
    }
    return format != before
  }

  private static func obstacle(_ set: H264SequenceParameterSet) -> String? {
    guard set.isProgressive else { return "the source is interlaced" }
    guard set.chromaFormat == 1, set.bitDepth == 8 else {
      return "browsers show only 4:2:0 pictures with 8 bits"
    }
    guard [66, 77, 100].contains(set.profile) else {
      return "browsers do not show H.264 profile \(set.profile)"
    }
    if let reorder = set.maximumReorder, reorder > 0, set.pictureOrderCountType != 2, set.profile != 66 {
      return "the source announces B-pictures, which browsers cannot show live"
    }
    return nil
  }

  private static func obstacle(_ set: H265SequenceParameterSet, allowed: Bool) -> String? {
    guard allowed else { return "the source is H.265, which few browsers show" }
    guard set.isProgressive else { return "the source is interlaced" }
    guard set.profile == 1, set.chromaFormat == 1, set.bitDepth == 8 else {
      return "browsers show only the main profile of H.265"
    }
    guard set.maximumReorder == 0 else { return "the source reorders pictures" }
    return nil
  }
}
