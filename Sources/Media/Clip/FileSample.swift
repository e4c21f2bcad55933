/// A picture as MP4 files hold it (ISO/IEC 14496-15 section 4.3.3).
enum FileSample {
  /// Lengths instead of start codes, without delimiters and filler; empty when the unit holds no picture.
  ///
  /// - Parameter sets: remembers the parameter sets that pass by.
  /// - Parameter known: what the head of the file holds; nil when there is none yet, and then all sets that
  ///   pass by will be in it.
  static func bytes(
    of unit: AccessUnit, codec: VideoCodec, keeping sets: inout ParameterSets,
    leavingOut known: ParameterSets?
  ) -> [UInt8] {
    var sample: [UInt8] = []
    sample.reserveCapacity(unit.bytes.count + 16)
    var hasSlice = false
    unit.bytes.withUnsafeBytes { stream in
      AnnexB.forEachUnit(in: stream) { nal in
        switch UnitKind(header: nal[0], codec: codec) {
        case .delimiter, .filler: return
        case .parameterSet(let kind):
          sets.keep(nal, kind, codec: codec)
          guard let known, !known.contains(nal) else { return }
        case .slice: hasSlice = true
        default: break
        }
        let size = UInt32(truncatingIfNeeded: nal.count)
        for shift in [24, 16, 8, 0] as [UInt32] { sample.append(UInt8(size >> shift & 0xFF)) }
        sample.append(contentsOf: nal)
      }
    }
    return hasSlice ? sample : []
  }
}
