// Finding the place: from a target to its first picture.

extension PlaybackState {
  mutating func move(to target: Target, _ now: Duration) -> [PlaybackEffect] {
    phase = .moving(target)
    moves += 1
    queue.removeAll()
    endTime = nil
    hasStalled = false
    needsKeyFrame = false
    steps = []
    lastFailure = nil
    // What is being read is waited for; its outcome is of no use.
    return work == nil ? find(target, now) : []
  }

  private mutating func find(_ target: Target, _ now: Duration) -> [PlaybackEffect] {
    if let stretch, stretch.stream == stream, stretch.covers(target.time) {
      return approach(target, stretch, now)
    }
    return ask(.find(time: target.time, stream: stream, except: nil))
  }

  mutating func ask(_ asked: PlaybackWork) -> [PlaybackEffect] {
    work = (asked, moves)
    return [.work(asked)]
  }

  mutating func done(_ outcome: PlaybackOutcome, _ now: Duration) -> [PlaybackEffect] {
    guard let finished = work else { return [] }
    work = nil
    // The reader remembers what it found last, whatever comes of it here.
    if case .found(let found?) = outcome { stretch = found }
    switch phase {
    case .idle, .ended: return []
    case .moving(let target):
      return finished.move == moves ? arrive(target, finished.asked, outcome, now) : find(target, now)
    case .running:
      return goOn(finished.asked, outcome, now)
    }
  }

  private mutating func arrive(
    _ target: Target, _ asked: PlaybackWork, _ outcome: PlaybackOutcome, _ now: Duration
  ) -> [PlaybackEffect] {
    switch outcome {
    case .found(let found):
      guard let found, !found.fragments.isEmpty, found.startTime < window.upperBound else {
        return nothing(for: target, now)
      }
      guard codecs.contains(found.codec) else {
        if case .stream(let former) = target.reason, stream != former { return nothing(for: target, now) }
        return end(.codec(found.codec))
      }
      return approach(target, found, now)
    case .loaded(let loaded):
      return begin(target, loaded, now)
    case .failed(let failure):
      if case .load = asked { return skip(failure, now) }
      return end(failure)
    }
  }

  /// Reads from the key frame before the target to the target.
  private mutating func approach(_ target: Target, _ stretch: PlaybackStretch, _ now: Duration)
    -> [PlaybackEffect]
  {
    let fragments = stretch.fragments
    var hit = stretch.index(of: target.time)
    guard
      let key = fragments[...hit].lastIndex(where: \.startsWithKeyFrame)
        ?? fragments[hit...].firstIndex(where: \.startsWithKeyFrame)
    else { return skip(.unreadable, now) }
    hit = max(hit, key)
    let size = fragments[key...hit].reduce(0) { $0 + $1.size }
    if keyFramesOnly || size > Self.prerollLimit { hit = key }
    nextFragment = hit + 1
    loadedUntil = fragments[hit].endTime
    queuedUntil = loadedUntil
    (hole, holes) = (nil, [:])
    return ask(.load(Array(key...hit), keyFramesOnly: keyFramesOnly))
  }

  /// The recording cannot be read: the next one is taken.
  mutating func skip(_ failure: PlaybackFailure, _ now: Duration) -> [PlaybackEffect] {
    guard case .unreadable = failure, let stretch else { return end(failure) }
    lastFailure = failure
    return ask(.find(time: stretch.endTime, stream: stream, except: stretch.id))
  }

  private mutating func nothing(for target: Target, _ now: Duration) -> [PlaybackEffect] {
    if case .stream(let former) = target.reason, stream != former {
      // The other stream has nothing here: on with the one there was.
      stream = former
      return move(to: Target(time: target.time, reason: .stream(from: former)), now)
    }
    if let lastFailure { return end(lastFailure) }
    return end(hasShown ? nil : .nothingRecorded)
  }

  /// The pictures of the place are there: sends those before the target, and the target's.
  private mutating func begin(
    _ target: Target, _ loaded: [(index: Int, samples: [PlaybackSample])], _ now: Duration
  ) -> [PlaybackEffect] {
    var samples = loaded.flatMap(\.samples).filter { $0.time < window.upperBound }
    let key = samples.firstIndex { $0.unit?.isKeyFrame == true }
    guard let key else {
      // Either nothing of it lies in the range, or it is not what its map says.
      if loaded.contains(where: { !$0.samples.isEmpty }), samples.isEmpty { return nothing(for: target, now) }
      return skip(.unreadable, now)
    }
    samples = Array(samples[key...])
    // The first picture of the target's time, or the one that was still to be seen then. One that is too long
    // before it, for what must be sent to reach it, begins with its key frame.
    let pictures = samples.indices.filter { samples[$0].unit != nil }
    let isSnapped = (stretch?.index(of: target.time) ?? 0) >= nextFragment
    let shown =
      isSnapped ? key : pictures.first { samples[$0].time >= target.time } ?? pictures.last ?? key

    lastFailure = nil
    let first = max(now, lastVideo + .milliseconds(1))
    let before = pictures.count { $0 < shown }
    // Close together, so that a viewer without our anchors runs through them at once.
    let step = before == 0 ? .zero : min(.milliseconds(1), .milliseconds(100) / before)
    anchor = PlaybackAnchor(
      time: samples[shown].time, presentation: first + step * before, rate: rate)
    var actions = announce(target, first: first)
    var presentation = first
    for index in pictures where index < shown {
      actions.append(
        .send(PlaybackUnit(sample: samples[index], presentation: presentation, isPreroll: true)))
      presentation += step
    }
    actions.append(
      .send(PlaybackUnit(sample: samples[shown], presentation: anchor.presentation, isPreroll: false)))
    lastVideo = anchor.presentation
    position = anchor.time
    lastReport = now
    hasShown = true
    for sample in samples[(shown + 1)...] { queue.append(.init(sample: sample)) }
    phase = .running
    return actions + pump(now)
  }

  private func announce(_ target: Target, first: Duration) -> [PlaybackEffect] {
    var news: [PlaybackNews] = []
    switch target.reason {
    case .start: news.append(.playing(requestId: nil, anchor, first: first))
    case .seek(let id): news.append(.moved(requestId: id, anchor, first: first))
    case .rate(let id): news.append(.playing(requestId: id, anchor, first: first))
    case .stream: news.append(.playing(requestId: nil, anchor, first: first))
    }
    if isPaused { news.append(.paused(requestId: nil, anchor)) }
    let start = stretch?.startTime ?? target.time
    if start - target.time > Self.gapTolerance { news.append(.gap(from: target.time, to: start, anchor)) }
    return news.map { .tell($0) }
  }

  mutating func end(_ failure: PlaybackFailure?) -> [PlaybackEffect] {
    var id: Int?
    if case .moving(let target) = phase, case .seek(let request) = target.reason { id = request }
    phase = .ended
    queue.removeAll()
    steps = []
    return [.tell(.ended(requestId: id, time: position, failure))]
  }
}
