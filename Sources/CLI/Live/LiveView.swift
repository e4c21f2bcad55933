import Foundation
import OrielKit
import OrielModel

/// One run of `oriel live` or `oriel playback`: drives the player, tells what happens, and writes what was asked for.
struct LiveView: Sendable {
  let player: Player
  /// How long to watch after the first picture; nil: until Ctrl-C or the end; 0: only the first picture.
  let seconds: Int?
  let clip: String?
  let snapshot: String?
  let tellsFigures: Bool
  let output: Output
  /// The speed of a playback.
  var rate: Double?

  private enum Happening: Sendable {
    case event(PlayerEvent)
    case second
    case timeUp
    case interrupted
  }

  /// Watches to the end.
  /// - Throws: the view's or the recording's number.
  func run() async throws {
    let pace = PictureClock()
    let (happenings, feed) = AsyncStream<Happening>.makeStream()
    player.onEvent { feed.yield(.event($0)) }
    player.onFrame { _ in pace.tick() }
    let interruption = Task {
      await Interruption.wait()
      feed.yield(.interrupted)
    }
    var clocks = [interruption]
    defer {
      for clock in clocks { clock.cancel() }
      player.onEvent(nil)
      player.onFrame(nil)
      player.stop()
    }
    player.start()
    watching: for await happening in happenings {
      switch happening {
      case .event(.started):
        tell(
          .started(milliseconds: await player.statistics.timeToFirstFrame ?? 0, of: player.playbackTime))
        guard pace.begin() else { continue }
        if let rate, rate != 1 { try player.setRate(rate) }
        if let clip { try await player.startRecording(to: clip) }
        if seconds == 0 { break watching }
        clocks += startClocks(feed)
      case .event(.failed(let error)):
        if output.isJSON { tell(.failed(error)) }
        throw error
      case .event(.ended):
        tell(.other(.ended))
        break watching
      // Who read the lines has gone: the view ends as on Ctrl-C, with its clip whole.
      case .event(let event): if !tell(.other(event)) { break watching }
      case .second: if !tell(.statistics(await player.statistics)) { break watching }
      // Nothing was seen yet: what was asked for is not done.
      case .interrupted where pace.isIdle: throw CancellationError()
      case .timeUp, .interrupted: break watching
      }
    }
    do { try await finish(pace.summary) } catch {
      // Programs that read the lines hear of the end whatever it is.
      if output.isJSON { tell(.failed(error as? OrielError ?? OrielError(.streamInnerError))) }
      throw error
    }
  }

  private func startClocks(_ feed: AsyncStream<Happening>.Continuation) -> [Task<Void, Never>] {
    var clocks: [Task<Void, Never>] = []
    if let seconds {
      clocks.append(
        Task {
          if (try? await Task.sleep(for: .seconds(seconds))) != nil { feed.yield(.timeUp) }
        })
    }
    if tellsFigures {
      clocks.append(
        Task {
          while (try? await Task.sleep(for: .seconds(1))) != nil { feed.yield(.second) }
        })
    }
    return clocks
  }

  /// Writes the picture, ends the clip, tells the end.
  private func finish(_ pace: PictureClock.Summary) async throws {
    let figures = await player.statistics
    let recorded = clip == nil ? nil : try await player.stopRecording()
    if let snapshot {
      let jpeg = try player.captureJPEG()
      guard FileManager.default.createFile(atPath: snapshot, contents: Data(jpeg)) else {
        throw OrielError(.fileNotWritable, snapshot)
      }
    }
    tell(.ended(figures, pace, clip: recorded, snapshot: snapshot))
  }

  /// - Returns: false when it reaches nobody.
  @discardableResult
  private func tell(_ line: LiveLine) -> Bool {
    guard let text = output.isJSON ? line.json : line.text else { return true }
    return Output.line(text)
  }
}
