import OrielRTC

/// Figures of a view that outlast its sessions.
@RTCActor
struct ViewMeter {
  var reconnects = 0
  private var timeToFirstFrame: Double?
  private var former = PlayerStatistics()
  private var ticks: [(time: Int64, frames: UInt64)] = []
  private var path: String?

  nonisolated init() {}

  mutating func firstPicture(after microseconds: Int64) { timeToFirstFrame = Double(microseconds) / 1000 }

  /// Keeps what a session counted that is about to end.
  mutating func keep(_ connection: ViewerConnection) { add(connection, to: &former) }

  /// Notes the number of pictures; kept for a second.
  mutating func tick(at time: Int64, frames: UInt64) {
    ticks.append((time, frames))
    if ticks.count > 5 { ticks.removeFirst(ticks.count - 5) }
  }

  func statistics(
    connection: ViewerConnection?, frames: UInt64?, bytes: UInt64, size: (width: Int, height: Int)?
  ) -> PlayerStatistics {
    var all = former
    if let connection { add(connection, to: &all) }
    all.bytes = bytes
    all.frames = frames ?? 0
    all.width = size?.width ?? 0
    all.height = size?.height ?? 0
    all.timeToFirstFrame = timeToFirstFrame
    all.reconnects = reconnects
    if connection != nil, let first = ticks.first, let last = ticks.last, last.time > first.time,
      last.frames >= first.frames
    {
      all.frameRate = Double(last.frames - first.frames) * 1_000_000 / Double(last.time - first.time)
    }
    return all
  }

  private func add(_ connection: ViewerConnection, to all: inout PlayerStatistics) {
    let video = connection.videoStatistics
    let audio = connection.audioStatistics
    all.packets += video.packets + audio.packets
    all.lost += video.lost + audio.lost
    all.repaired += video.repaired + audio.repaired
    all.jitter = milliseconds(video.jitter)
    all.roundTrip = (video.roundTrip ?? audio.roundTrip).map(milliseconds)
    all.bitRate = video.bitrate + audio.bitrate
    all.codec = connection.videoCodec?.rawValue ?? all.codec
    let peer = connection.peerStatistics
    if let local = peer.localPath, let remote = peer.remotePath {
      all.path = "\(local.rawValue)/\(remote.rawValue)"
    }
  }

  private nonisolated func milliseconds(_ duration: Duration) -> Double { duration / .milliseconds(1) }
}
