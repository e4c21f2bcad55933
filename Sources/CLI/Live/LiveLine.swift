import Foundation
import OrielKit
import OrielModel

/// A line that `oriel live` or `oriel playback` says: for people, or as a JSON event.
enum LiveLine {
  /// `of`: when the first picture of a playback was taken, UTC milliseconds.
  case started(milliseconds: Double, of: Int64?)
  case statistics(PlayerStatistics)
  case other(PlayerEvent)
  case failed(OrielError)
  case ended(PlayerStatistics, PictureClock.Summary, clip: ClipSummary?, snapshot: String?)

  /// The line for people; nil when there is nothing worth a line.
  var text: String? {
    switch self {
    case .started(let milliseconds, let time?):
      "\(PointInTime.text(time)), shown after \(Int(milliseconds)) ms."
    case .started(let milliseconds, nil): "Live after \(Int(milliseconds)) ms."
    case .statistics(let figures): Self.text(of: figures)
    case .other(let event): Self.text(of: event)
    case .failed(let error): "\(error)"
    case .ended(_, let pace, let clip, let snapshot):
      ([
        String(format: "%d pictures, %.1f a second.", pace.pictures, pace.picturesPerSecond),
        clip.map { "Clip in \($0.path), \($0.duration.formatted())." }, snapshot.map { "Picture in \($0)." },
      ] as [String?]).compactMap { $0 }.joined(separator: " ")
    }
  }

  private static func text(of figures: PlayerStatistics) -> String {
    let path = figures.path.map { "  \($0)" } ?? ""
    let roundTrip = figures.roundTrip.map { String(format: "  round trip %.1f ms", $0) } ?? ""
    return String(
      format: "%4.1f pictures/s  %dx%d  %.2f Mbit/s  lost %d  repaired %d", figures.frameRate, figures.width,
      figures.height, Double(figures.bitRate) / 1e6, Int(figures.lost), Int(figures.repaired)) + roundTrip
      + path
  }

  private static func text(of event: PlayerEvent) -> String? {
    switch event {
    case .connecting: "Connecting ..."
    case .videoLevelChanged(let level): "Pictures are \(level.stream == .main ? "HD" : "smooth") now."
    case .reconnecting: "The connection was lost; trying again ..."
    case .reconnected: "Live again."
    case .soundFailed(let error), .recordingFailed(let error), .talkFailed(let error): "\(error)"
    case .gap(let from, let to):
      "Nothing was recorded from \(PointInTime.text(from)) to \(PointInTime.text(to)): on with the next recording."
    case .talkStarted(let duplex):
      duplex == .halfDuplex ? "The line is yours. The camera speaks." : "The line is yours: speak."
    case .talkTurned(let isSpeaking): isSpeaking ? "You speak." : "The camera speaks."
    case .talkEnded: "The talk is over."
    case .ended: "The end."
    case .refused(let error): "\(error)"
    case .paused, .resumed, .seeked, .rateChanged: nil
    case .started, .sizeChanged, .failed, .stopped: nil
    }
  }

  /// One JSON object in one line.
  var json: String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(event) else { return nil }
    return String(decoding: data, as: UTF8.self)
  }

  private var event: Event {
    switch self {
    case .started(let milliseconds, let time):
      var event = Event("started", milliseconds: milliseconds)
      event.time = time
      return event
    case .statistics(let figures):
      var event = Event("statistics")
      event.frames = figures.frames
      event.statistics = figures
      return event
    case .other(let event): return Event(event)
    case .failed(let error):
      var event = Event("failed")
      event.code = error.number
      event.message = error.description
      return event
    case .ended(let figures, let pace, let clip, let snapshot):
      var event = Event("ended")
      event.frames = figures.frames
      event.statistics = figures
      event.framesPerSecond = pace.picturesPerSecond
      event.longestFreezeMilliseconds = pace.longestFreeze / .milliseconds(1)
      event.clip = clip?.path
      event.clipSeconds = clip.map { $0.duration / .seconds(1) }
      event.snapshot = snapshot
      return event
    }
  }

  private struct Event: Encodable {
    var event: String
    var milliseconds: Double?
    var frames: UInt64?
    var statistics: PlayerStatistics?
    var framesPerSecond: Double?
    var longestFreezeMilliseconds: Double?
    var clip: String?
    var clipSeconds: Double?
    var snapshot: String?
    var code: Int?
    var message: String?
    var videoLevel: VideoLevel?
    var duplex: String?
    var isSpeaking: Bool?
    /// UTC milliseconds.
    var time: Int64?
    var from: Int64?
    var to: Int64?
    var rate: Double?
    var width: Int?
    var height: Int?

    init(_ event: String, milliseconds: Double? = nil) {
      self.event = event
      self.milliseconds = milliseconds
    }

    init(_ event: PlayerEvent) {
      switch event {
      case .connecting: self.init("connecting")
      case .started: self.init("started")
      case .sizeChanged(let width, let height):
        self.init("sizeChanged")
        (self.width, self.height) = (width, height)
      case .videoLevelChanged(let level):
        self.init("videoLevelChanged")
        videoLevel = level
      case .reconnecting: self.init("reconnecting")
      case .reconnected: self.init("reconnected")
      case .paused: self.init("paused")
      case .resumed: self.init("resumed")
      case .seeked(let time):
        self.init("seeked")
        self.time = time
      case .gap(let from, let to):
        self.init("gap")
        (self.from, self.to) = (from, to)
      case .rateChanged(let rate):
        self.init("rateChanged")
        self.rate = rate
      case .ended: self.init("end")
      case .refused(let error):
        self.init("refused")
        code = error.number
      case .talkStarted(let duplex):
        self.init("talkStarted")
        self.duplex = duplex == .halfDuplex ? "half" : "full"
      case .talkTurned(let isSpeaking):
        self.init("talkTurned")
        self.isSpeaking = isSpeaking
      case .talkEnded: self.init("talkEnded")
      case .talkFailed(let error):
        self.init("talkFailed")
        code = error.number
      case .soundFailed(let error):
        self.init("soundFailed")
        code = error.number
      case .recordingFailed(let error):
        self.init("recordingFailed")
        code = error.number
      case .failed(let error):
        self.init("failed")
        code = error.number
      case .stopped: self.init("stopped")
      }
    }
  }
}
