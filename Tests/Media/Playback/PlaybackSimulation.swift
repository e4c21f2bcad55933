import Testing

@testable import OrielMedia

/// Recordings that were never written: pictures of a frame rate and a group length.
struct SimulatedArchive {
  var stretches: [PlaybackStretch] = []
  /// Milliseconds.
  var interval: Int64 = 40
  /// Recordings that cannot be read.
  var broken: Set<String> = []
  var hasSound = true

  /// - Parameter group: pictures from key frame to key frame; fragments hold 480 ms.
  mutating func add(
    _ id: String, from start: Int64, to end: Int64, group: Int64 = 1_000, stream: MediaStream = .main,
    codec: VideoCodec = .h264, isGrowing: Bool = false
  ) {
    var fragments: [PlaybackStretch.Fragment] = []
    var time = start
    while time < end {
      let key = (time - start) % group == 0
      let next = min(end, time + min(480, group - (time - start) % group))
      fragments.append(.init(time: time, endTime: next, startsWithKeyFrame: key, size: key ? 60_000 : 20_000))
      time = next
    }
    stretches.append(
      PlaybackStretch(id: id, stream: stream, codec: codec, fragments: fragments, isGrowing: isGrowing))
  }

  func outcome(of work: PlaybackWork, current: inout PlaybackStretch?) -> PlaybackOutcome {
    switch work {
    case .find(let time, let stream, let except):
      let own = stretches.filter { $0.stream == stream && $0.id != except }
      let found =
        own.first { $0.covers(time) }
        ?? own.filter { $0.startTime >= time }.min { $0.startTime < $1.startTime }
      current = found ?? current
      return .found(found)
    case .extend:
      current = stretches.first { $0.id == current?.id }
      return .found(current)
    case .load(let indices, let keyFramesOnly):
      guard let current, !broken.contains(current.id) else { return .failed(.unreadable) }
      return .loaded(indices.map { ($0, samples(current, $0, keyFramesOnly)) })
    }
  }

  private func samples(_ stretch: PlaybackStretch, _ index: Int, _ keyFramesOnly: Bool) -> [PlaybackSample] {
    let fragment = stretch.fragments[index]
    var samples: [PlaybackSample] = []
    for time in stride(from: fragment.time, to: fragment.endTime, by: Int(interval)) {
      let isKey = fragment.startsWithKeyFrame && time == fragment.time
      if keyFramesOnly, !isKey { break }
      let unit = AccessUnit(
        codec: stretch.codec, isKeyFrame: isKey, timestamp: .milliseconds(time - stretch.startTime),
        captureTime: time, bytes: [1])
      samples.append(.video(unit, time: time))
      if hasSound, !keyFramesOnly {
        samples.append(.audio(AudioPacket(timestamp: unit.timestamp, bytes: [2]), time: time))
      }
    }
    return samples
  }
}

/// A playback on a virtual clock.
struct PlaybackSimulation {
  struct Sent {
    var time: Int64
    var presentation: Duration
    var at: Duration
    var isPreroll: Bool
    var isKeyFrame: Bool
    var stream: MediaStream
  }

  var archive: SimulatedArchive
  var state: PlaybackState
  var now = Duration.zero
  /// How long reading takes.
  var readTime = Duration.milliseconds(3)
  var sent: [Sent] = []
  var sounds: [(time: Int64, presentation: Duration)] = []
  var news: [(news: PlaybackNews, at: Duration)] = []
  var readCount = 0
  private(set) var wake: Duration?
  private var outcome: (PlaybackOutcome, at: Duration)?
  private var current: PlaybackStretch?

  init(_ archive: SimulatedArchive, window: Range<Int64>, codecs: Set<VideoCodec> = [.h264]) {
    self.archive = archive
    state = PlaybackState(window: window, codecs: codecs)
  }

  mutating func say(_ input: PlaybackInput) {
    for action in state.handle(input, at: now) {
      switch action {
      case .work(let work):
        #expect(outcome == nil, "two readings at once")
        readCount += 1
        outcome = (archive.outcome(of: work, current: &current), now + readTime)
      case .send(let unit): take(unit)
      case .tell(let news): self.news.append((news, now))
      case .wake(let time):
        #expect(time > now)
        wake = time
      case .discardUnsent: break
      }
    }
  }

  private mutating func take(_ unit: PlaybackUnit) {
    switch unit.sample {
    case .video(let picture, let time):
      if let last = sent.last { #expect(unit.presentation > last.presentation) }
      sent.append(
        Sent(
          time: time, presentation: unit.presentation, at: now, isPreroll: unit.isPreroll,
          isKeyFrame: picture.isKeyFrame, stream: state.stream))
    case .audio(_, let time): sounds.append((time, unit.presentation))
    }
  }

  /// Lets time pass.
  mutating func run(_ duration: Duration) {
    let end = now + duration
    while let next = [wake, outcome?.at].compactMap({ $0 }).min(), next <= end {
      now = max(now, next)
      if let (result, at) = outcome, at <= now {
        outcome = nil
        say(.done(result))
      } else {
        wake = nil
        say(.tick)
      }
    }
    now = end
  }

  var shown: [Sent] { sent.filter { !$0.isPreroll } }
  var ends: [PlaybackFailure?] {
    news.compactMap { if case .ended(_, _, let failure) = $0.news { .some(failure) } else { nil } }
  }
  var gaps: [Range<Int64>] {
    news.compactMap { if case .gap(let from, let to, _) = $0.news { from..<to } else { nil } }
  }
}
