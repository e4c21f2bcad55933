/// The boxes of a clip, first fragmented, in the end whole (ISO/IEC 14496-12).
struct ClipBoxes {
  var videoEntries: [VideoSampleEntry]
  var audioEntry: AudioSampleEntry?
  /// Boxes of other makers' meaning at the end of moov.
  var extra: [UInt8] = []

  static func fileType() -> [UInt8] {
    var builder = BoxBuilder()
    builder.box("ftyp") { box in
      box.name("isom")
      box.u32(0x200)
      for brand in ["isom", "iso2", "iso6", "mp41"] { box.name(brand) }
    }
    return builder.bytes
  }

  /// Holds the place of the mdat header that in the end covers all fragments.
  static func placeholder() -> [UInt8] {
    var builder = BoxBuilder()
    builder.box("free") { $0.zeros(8) }
    return builder.bytes
  }

  static func coveringHeader(size: Int) -> [UInt8] {
    var builder = BoxBuilder()
    builder.u32(1)
    builder.name("mdat")
    builder.u64(size)
    return builder.bytes
  }

  /// The moov box. Without tables it is the head of a fragmented file; its size does not depend on `duration`.
  func movie(tracks: [ClipTrack], duration: Int, isFragmented: Bool) -> [UInt8] {
    var builder = BoxBuilder()
    builder.box("moov") { moov in
      moov.fullBox("mvhd") { box in
        box.zeros(8)
        box.u32(1000)
        box.u32(min(duration, 0xFFFF_FFFF))
        box.u32(0x1_0000)
        box.u16(0x100)
        box.zeros(10)
        Self.writeMatrix(&box)
        box.zeros(24)
        box.u32(tracks.count + 1)
      }
      for track in tracks { writeTrack(track, duration, isFragmented, &moov) }
      if isFragmented {
        moov.box("mvex") { box in
          box.fullBox("mehd") { $0.u32(min(duration, 0xFFFF_FFFF)) }
          for track in tracks {
            box.fullBox("trex") { trex in
              trex.u32(track.id)
              trex.u32(1)
              trex.zeros(12)
            }
          }
        }
      }
      moov.raw(extra)
    }
    return builder.bytes
  }

  /// The samples of one track in one fragment.
  struct Run {
    var trackID: Int
    /// Decode time of the first sample in the track's ticks.
    var baseTime: Int
    var samples: [ClipTrack.Sample]
    /// Bytes of all samples.
    var size: Int
  }

  /// A moof box and the header of its mdat, which holds the samples run by run.
  static func fragment(number: Int, runs: [Run]) -> [UInt8] {
    var builder = BoxBuilder()
    var offsetPlaces: [(place: Int, size: Int)] = []
    builder.box("moof") { moof in
      moof.fullBox("mfhd") { $0.u32(number) }
      for run in runs where !run.samples.isEmpty {
        moof.box("traf") { traf in
          traf.fullBox("tfhd", flags: 0x02_0000) { $0.u32(run.trackID) }
          traf.fullBox("tfdt", version: 1) { $0.u64(run.baseTime) }
          traf.fullBox("trun", flags: 0x701) { trun in
            trun.u32(run.samples.count)
            offsetPlaces.append((trun.bytes.count, run.size))
            trun.u32(0)
            for sample in run.samples {
              trun.u32(sample.duration)
              trun.u32(sample.size)
              trun.u32(sample.isKey ? 0x0200_0000 : 0x0101_0000)
            }
          }
        }
      }
    }
    var offset = builder.bytes.count + 8
    for (place, size) in offsetPlaces {
      builder.patch(at: place, offset)
      offset += size
    }
    let total = runs.reduce(8) { $0 + $1.size }
    builder.u32(total)
    builder.name("mdat")
    return builder.bytes
  }

  private func writeTrack(
    _ track: ClipTrack, _ duration: Int, _ isFragmented: Bool, _ moov: inout BoxBuilder
  ) {
    let isVideo = track.id == 1
    let own = isFragmented ? duration : track.endMilliseconds
    moov.box("trak") { trak in
      trak.fullBox("tkhd", flags: 3) { box in
        box.zeros(8)
        box.u32(track.id)
        box.zeros(4)
        box.u32(min(own, 0xFFFF_FFFF))
        box.zeros(8)
        box.u16(0)
        box.u16(isVideo ? 0 : 1)
        box.u16(isVideo ? 0 : 0x100)
        box.zeros(2)
        Self.writeMatrix(&box)
        box.u32(isVideo ? (videoEntries.first?.width ?? 0) << 16 : 0)
        box.u32(isVideo ? (videoEntries.first?.height ?? 0) << 16 : 0)
      }
      if !isFragmented && track.startOffset > 0 { Self.writeEdits(track, &trak) }
      trak.box("mdia") { mdia in
        mdia.fullBox("mdhd") { box in
          box.zeros(8)
          box.u32(track.timescale)
          box.u32(isFragmented ? 0 : min(track.writtenTicks, 0xFFFF_FFFF))
          box.u16(0x55C4)
          box.u16(0)
        }
        mdia.fullBox("hdlr") { box in
          box.zeros(4)
          box.name(isVideo ? "vide" : "soun")
          box.zeros(12)
          box.name("Oriel")
          box.u8(0)
        }
        mdia.box("minf") { minf in
          if isVideo {
            minf.fullBox("vmhd", flags: 1) { $0.zeros(8) }
          } else {
            minf.fullBox("smhd") { $0.zeros(4) }
          }
          minf.box("dinf") { dinf in
            dinf.fullBox("dref") { dref in
              dref.u32(1)
              dref.fullBox("url ", flags: 1) { _ in }
            }
          }
          minf.box("stbl") { writeTable(track, isVideo, isFragmented, &$0) }
        }
      }
    }
  }

  private func writeTable(
    _ track: ClipTrack, _ isVideo: Bool, _ isFragmented: Bool, _ table: inout BoxBuilder
  ) {
    table.fullBox("stsd") { box in
      if isVideo {
        let entries = isFragmented ? Array(videoEntries.prefix(1)) : videoEntries
        box.u32(entries.count)
        for entry in entries { entry.write(&box) }
      } else {
        box.u32(1)
        (audioEntry ?? AudioSampleEntry(.opus)).write(&box)
      }
    }
    let samples = isFragmented ? [] : track.samples
    let chunks = isFragmented ? [] : track.chunks
    table.fullBox("stts") { box in
      var runs: [(count: Int, duration: Int)] = []
      for sample in samples {
        if let last = runs.indices.last, runs[last].duration == sample.duration {
          runs[last].count += 1
        } else {
          runs.append((1, sample.duration))
        }
      }
      box.u32(runs.count)
      for run in runs {
        box.u32(run.count)
        box.u32(run.duration)
      }
    }
    if isVideo && !isFragmented {
      table.fullBox("stss") { box in
        let keys = samples.indices.filter { samples[$0].isKey }
        box.u32(keys.count)
        for key in keys { box.u32(key + 1) }
      }
    }
    table.fullBox("stsc") { box in
      box.u32(chunks.count)
      for (index, chunk) in chunks.enumerated() {
        box.u32(index + 1)
        box.u32(chunk.count)
        box.u32(chunk.entry)
      }
    }
    table.fullBox("stsz") { box in
      box.u32(0)
      box.u32(samples.count)
      for sample in samples { box.u32(sample.size) }
    }
    table.fullBox("co64") { box in
      box.u32(chunks.count)
      for chunk in chunks { box.u64(chunk.offset) }
    }
  }

  /// Sound that begins after the picture: an empty edit in front.
  private static func writeEdits(_ track: ClipTrack, _ trak: inout BoxBuilder) {
    trak.box("edts") { edts in
      edts.fullBox("elst") { box in
        let gap = track.startOffset * 1000 / track.timescale
        box.u32(2)
        box.u32(gap)
        box.u32(0xFFFF_FFFF)
        box.u32(0x1_0000)
        box.u32(track.endMilliseconds - gap)
        box.u32(0)
        box.u32(0x1_0000)
      }
    }
  }

  private static func writeMatrix(_ box: inout BoxBuilder) {
    for value in [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000] { box.u32(value) }
  }
}
