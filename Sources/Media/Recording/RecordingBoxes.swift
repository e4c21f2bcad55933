/// The boxes that only recordings have.
enum RecordingBoxes {
  /// A fragment that begins with a key frame: its time in the track's ticks, and where it begins in the file.
  struct KeyFrame: Equatable {
    var time: Int
    var position: Int
  }

  /// The table of key frames at the end of a file (ISO/IEC 14496-12 section 8.8.9): players find it by the
  /// size in the file's last four bytes.
  static func randomAccess(_ keyFrames: [KeyFrame]) -> [UInt8] {
    var builder = BoxBuilder()
    builder.box("mfra") { mfra in
      mfra.fullBox("tfra", version: 1) { box in
        box.u32(1)
        box.u32(0)
        box.u32(keyFrames.count)
        for key in keyFrames {
          box.u64(key.time)
          box.u64(key.position)
          // The first traf, trun and sample.
          box.raw([1, 1, 1])
        }
      }
      mfra.fullBox("mfro") { $0.u32(randomAccessSize(keyFrames.count)) }
    }
    return builder.bytes
  }

  private static func randomAccessSize(_ count: Int) -> Int { 8 + 24 + count * 19 + 16 }
}
