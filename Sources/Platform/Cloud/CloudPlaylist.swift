import Foundation
import OrielModel

/// An HLS playlist (RFC 8216) of clear recordings: each file brings its own initialisation section, and its
/// segments are byte ranges of the same address, so that nothing is cut or copied for it.
struct CloudPlaylist: Sendable {
  struct Entry: Sendable {
    /// UTC milliseconds.
    let startTime: Int64
    let address: String
    let fragments: FragmentList
  }

  struct Segment: Equatable {
    var offset: Int64
    var size: Int64
    /// Milliseconds from the file's start.
    var time: Int64
    var duration: Int64
  }

  /// Milliseconds that a segment has at least, where key frames allow.
  static let segment: Int64 = 6_000

  /// - Parameter range: UTC milliseconds; only segments that overlap it are named.
  static func text(_ entries: [Entry], range: Range<Int64>) -> String {
    let parts = entries.map { entry in
      (
        entry: entry,
        segments: segments(of: entry.fragments).filter {
          entry.startTime + $0.time < range.upperBound
            && entry.startTime + $0.time + $0.duration > range.lowerBound
        }
      )
    }.filter { !$0.segments.isEmpty }
    let longest = parts.flatMap { $0.segments.map(\.duration) }.max() ?? 0
    var lines = [
      "#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:\(max(1, (longest + 999) / 1_000))",
      "#EXT-X-MEDIA-SEQUENCE:0", "#EXT-X-PLAYLIST-TYPE:VOD", "#EXT-X-INDEPENDENT-SEGMENTS",
    ]
    for (index, part) in parts.enumerated() {
      // The timestamps of every file begin at nought.
      if index > 0 { lines.append("#EXT-X-DISCONTINUITY") }
      let address = part.entry.address
      lines.append(#"#EXT-X-MAP:URI="\#(address)",BYTERANGE="\#(part.entry.fragments.headSize)@0""#)
      lines.append("#EXT-X-PROGRAM-DATE-TIME:\(date(part.entry.startTime + part.segments[0].time))")
      for segment in part.segments {
        lines.append("#EXTINF:\(seconds(segment.duration)),")
        lines.append("#EXT-X-BYTERANGE:\(segment.size)@\(segment.offset)")
        lines.append(address)
      }
    }
    lines.append("#EXT-X-ENDLIST")
    return lines.joined(separator: "\n") + "\n"
  }

  /// Fragments put together into segments that begin with a key frame; what comes before the first one is of no
  /// use to a player that begins there, and is left out.
  static func segments(of list: FragmentList) -> [Segment] {
    var segments: [Segment] = []
    for fragment in list.fragments {
      let end = fragment.time + fragment.duration
      if let last = segments.last {
        // What lies between two fragments belongs to neither.
        let isAdjacent = last.offset + last.size == fragment.offset
        if !(fragment.startsWithKeyFrame && last.duration >= segment), isAdjacent {
          segments[segments.count - 1].size += fragment.size
          segments[segments.count - 1].duration = max(last.duration, end - last.time)
          continue
        }
      }
      guard fragment.startsWithKeyFrame else { continue }
      if let last = segments.indices.last {
        segments[last].duration = max(fragment.time - segments[last].time, 1)
      }
      segments.append(
        Segment(
          offset: fragment.offset, size: fragment.size, time: fragment.time, duration: fragment.duration))
    }
    return segments
  }

  private static func seconds(_ milliseconds: Int64) -> String {
    let rest = String(milliseconds % 1_000)
    return "\(milliseconds / 1_000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
  }

  private static func date(_ milliseconds: Int64) -> String {
    Date(timeIntervalSince1970: Double(milliseconds) / 1_000).formatted(
      Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
