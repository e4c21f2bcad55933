import OrielModel
import Synchronization

/// Playback: a player that ``Session/playback(of:cameraNo:range:options:)`` makes shows recordings instead of what is
/// live. Everything else, from windows to clips, works as in live view; a clip is what was shown.
///
/// `started` comes with the first picture, `ended` when all was shown: once, until a seek leads back. The playback
/// then stands at its end and may be sought in until it is stopped. It does not fail at its natural end.
///
/// The calls return at once and are carried out in order; of seeks that follow each other faster than they can be
/// carried out, the last counts. No picture of an older seek is shown after a newer one was asked for.
extension Player {
  /// The speeds: below 1 slower. Above 4 only key frames are shown; sound comes at 1 only.
  public static let rates: ClosedRange<Double> = 0.0625...16

  /// What it plays; nil for live view. A change counts from the next start on.
  public var range: PlaybackRange? {
    get { settings.withLock { $0 } }
    set {
      settings.withLock { range in
        if range != nil, newValue != nil { range = newValue }
      }
    }
  }

  /// When the picture that is shown was taken (the OSD time), UTC milliseconds; nil before the first. It stays
  /// after a stop.
  public var playbackTime: Int64? {
    range == nil ? nil : outlet.playbackTime
  }

  /// Holds the picture; `paused` follows.
  /// - Throws: `OrielError` 720205 when no playback is under way.
  public func pause() throws { try order(.pause) }

  /// Goes on; `resumed` follows.
  /// - Throws: as ``pause()``.
  public func resume() throws { try order(.resume) }

  /// Goes to another time; `seeked` follows when its first picture is to come. Paused, it stays so and shows the
  /// picture of that time.
  /// - Parameter time: UTC milliseconds. Where nothing was recorded, the next recording is shown.
  /// - Throws: `OrielError` 720205 when no playback is under way, 720203 outside its range.
  public func seek(to time: Int64) throws {
    guard let range, time >= range.from, range.to.map({ time < $0 }) ?? true else {
      throw OrielError(range == nil ? .playbackNotRunning : .playbackOutside)
    }
    guard let id = outlet.beginSeek() else { throw OrielError(.playbackNotRunning) }
    try order(.seek(time, id: id))
  }

  /// Changes the speed; `rateChanged` follows.
  /// - Throws: `OrielError` 720205 when no playback is under way, 400002 for a speed outside ``rates``.
  public func setRate(_ rate: Double) throws {
    guard Self.rates.contains(rate) else {
      throw OrielError(.argumentError, "the rate is \(Self.rates.lowerBound) to \(Self.rates.upperBound)")
    }
    try order(.rate(rate))
  }

  /// Shows the next picture and stays paused; a running playback is paused by it.
  /// - Throws: as ``pause()``.
  public func step() throws { try order(.step) }

  private func order(_ order: PlaybackOrder) throws {
    guard range != nil, isActive else { throw OrielError(.playbackNotRunning) }
    yield(.playback(order))
  }
}

/// What a person asks of a playback.
enum PlaybackOrder: Sendable, Equatable {
  case pause
  case resume
  /// UTC milliseconds; `id` rises.
  case seek(Int64, id: Int)
  case rate(Double)
  case step
}
