public import Foundation
import OrielKit
public import OrielModel

/// The second manual's message on the data channel; `onDataChannelMessage` gives it as JSON.
public typealias PlaybackMessage = OrielModel.PlaybackMessage
public typealias PlaybackAction = OrielModel.PlaybackAction
public typealias PlaybackMediaInfo = OrielModel.PlaybackMediaInfo

/// Playback. What cannot be done leaves its number in `lastError` and changes nothing.
extension LiveViewModel {
  /// Where playback is, epoch seconds. Before `connect()`: where it is to begin, the start of the previous hour until
  /// it is set.
  public var playbackCurrentTime: TimeInterval {
    get { (isOpen ? player?.playbackTime : nil).map { Double($0) / 1000 } ?? startTime }
    set { startTime = newValue }
  }

  /// Goes to another time.
  /// - Parameter time: epoch seconds. `lastError`: 720205 before `connect()`, 720203 outside the range.
  public func seekToTime(time: TimeInterval) {
    guard time.isFinite, abs(time) < 1e12 else {
      lastError = OrielError(.playbackOutside)
      return
    }
    order { try $0.seek(to: Int64((time * 1000).rounded())) }
  }

  /// Goes on.
  public func play() { order { try $0.resume() } }

  /// Holds the picture.
  public func pause() { order { try $0.pause() } }

  /// Asks which stretches were recorded: `onDataChannelMessage` brings a `mediaInfo` message with the list.
  /// - Parameters: epoch seconds.
  public func mediaInfo(startTime: TimeInterval, endTime: TimeInterval) {
    guard let from = Int64(exactly: startTime.rounded()), let to = Int64(exactly: endTime.rounded()),
      from < to
    else {
      lastError = OrielError(.playbackRange)
      return
    }
    send(PlaybackMessage(action: .mediaInfo, startTime: from, endTime: to))
  }

  /// Asks where the recordings begin: `onDataChannelMessage` brings a `mediaInfoStartTime` message with `startTime`.
  public func mediaInfoStartTime() { send(PlaybackMessage(action: .mediaInfoStartTime)) }

  /// The start of the hour before a time's, local: where playback begins by default. Spelt as in the manual's library.
  /// - Returns: epoch seconds.
  public nonisolated static func getLastHourBegininig(date: Date = Date()) -> TimeInterval {
    let calendar = Calendar.current
    let hour = calendar.dateInterval(of: .hour, for: date)?.start ?? date
    return hour.addingTimeInterval(-3600).timeIntervalSince1970
  }

  /// 23:59:59 local time of a time's day, epoch seconds.
  nonisolated static func endOfDay(_ time: TimeInterval) -> TimeInterval {
    let calendar = Calendar.current
    let day = calendar.startOfDay(for: Date(timeIntervalSince1970: time))
    let next = calendar.date(byAdding: .day, value: 1, to: day) ?? day.addingTimeInterval(86_400)
    return next.timeIntervalSince1970 - 1
  }

  private func order(_ body: (Player) throws -> Void) {
    guard isPlayback, isOpen, !players.isEmpty else {
      lastError = OrielError(.playbackNotRunning)
      return
    }
    for player in players {
      do { try body(player) } catch { lastError = error as? OrielError }
    }
  }

  private func send(_ message: PlaybackMessage) {
    guard isPlayback, isOpen, let player else {
      lastError = OrielError(.playbackNotRunning)
      return
    }
    var message = message
    message.senderClientId = SDKConfig.clientId
    guard let data = try? JSONEncoder().encode(message) else { return }
    player.send(onChannel: String(decoding: data, as: UTF8.self))
  }
}
