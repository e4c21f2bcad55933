// The flow: what is due is sent, what comes next is read.

extension PlaybackState {
  /// What was shown last.
  var shown: PlaybackAnchor { PlaybackAnchor(time: position, presentation: lastVideo, rate: rate) }

  func mediaTime(at now: Duration) -> Int64 {
    anchor.time + Int64(((now - anchor.presentation) / .milliseconds(1) * rate).rounded(.down))
  }

  private func presentation(of time: Int64) -> Duration {
    anchor.presentation + .microseconds(Int64((Double(time - anchor.time) * 1_000 / rate).rounded()))
  }

  /// When an item is due, and the anchor that holds from it on when it lies behind a gap.
  private func due(_ item: PlaybackQueue.Item) -> (Duration, PlaybackAnchor?) {
    guard let gap = item.gap else { return (presentation(of: item.sample.time), nil) }
    let new = PlaybackAnchor(time: gap.upperBound, presentation: presentation(of: gap.lowerBound), rate: rate)
    let rest = Double(item.sample.time - gap.upperBound) * 1_000 / rate
    return (new.presentation + .microseconds(Int64(rest.rounded())), new)
  }

  mutating func pump(_ now: Duration) -> [PlaybackEffect] {
    guard phase == .running else { return [] }
    var actions = isPaused ? stepOn(now) : sendDue(now)
    guard phase == .running else { return actions }
    if !isPaused, now - lastReport >= Self.reportInterval {
      lastReport = now
      actions.append(.tell(.position(shown)))
    }
    actions += readOn(now)
    if let wake = nextWake(now) { actions.append(.wake(at: wake)) }
    return actions
  }

  private mutating func sendDue(_ now: Duration) -> [PlaybackEffect] {
    var actions: [PlaybackEffect] = []
    if backlog > Self.backlogLimit {
      // Slow enough that nothing need be lost: the clock waits for the line. Else pictures are left out.
      if rate <= 1 {
        hasStalled = true
        return []
      }
      needsKeyFrame = true
    }
    while let item = queue.first {
      var (due, jump) = due(item)
      if hasStalled {
        hasStalled = false
        if due < now {
          let start = item.gap?.lowerBound ?? item.sample.time
          anchor = PlaybackAnchor(time: start, presentation: now, rate: rate)
          (due, jump) = self.due(item)
          actions.append(.tell(.position(jump ?? anchor)))
        }
      }
      guard due <= now + Self.slack else { return actions }
      queue.removeFirst()
      if let jump {
        anchor = jump
        if let gap = item.gap {
          actions.append(.tell(.gap(from: gap.lowerBound, to: gap.upperBound, jump)))
        }
      }
      send(item.sample, at: due, &actions)
    }
    if let endTime, presentation(of: endTime) <= now { return actions + end(lastFailure) }
    if endTime == nil { hasStalled = true }
    return actions
  }

  private mutating func send(_ sample: PlaybackSample, at due: Duration, _ actions: inout [PlaybackEffect]) {
    switch sample {
    case .audio:
      guard rate == 1 else { return }
      actions.append(.send(PlaybackUnit(sample: sample, presentation: due, isPreroll: false)))
    case .video(let unit, let time):
      if needsKeyFrame {
        guard unit.isKeyFrame, backlog <= Self.backlogLimit else { return }
        needsKeyFrame = false
      }
      let presentation = max(due, lastVideo + .milliseconds(1))
      lastVideo = presentation
      position = time
      actions.append(.send(PlaybackUnit(sample: sample, presentation: presentation, isPreroll: false)))
    }
  }

  /// Paused: a picture for each step that was asked for.
  private mutating func stepOn(_ now: Duration) -> [PlaybackEffect] {
    var actions: [PlaybackEffect] = []
    while let id = steps.first {
      guard let item = queue.first else {
        guard endTime != nil else { return actions }
        return actions + end(lastFailure)
      }
      queue.removeFirst()
      guard let unit = item.sample.unit, !needsKeyFrame || unit.isKeyFrame else { continue }
      needsKeyFrame = false
      steps.removeFirst()
      let presentation = max(now, lastVideo + .milliseconds(1))
      lastVideo = presentation
      position = item.sample.time
      if let gap = item.gap {
        actions.append(.tell(.gap(from: gap.lowerBound, to: gap.upperBound, shown)))
      }
      actions.append(.tell(.paused(requestId: id, shown)))
      actions.append(
        .send(PlaybackUnit(sample: item.sample, presentation: presentation, isPreroll: false)))
    }
    return actions
  }

  private func nextWake(_ now: Duration) -> Duration? {
    var wake: Duration?
    func consider(_ time: Duration) { wake = min(wake ?? time, time) }
    if !isPaused {
      if hasStalled, backlog > Self.backlogLimit {
        consider(now + .milliseconds(20))
      } else if let item = queue.first {
        consider(due(item).0)
      } else if let endTime {
        consider(presentation(of: endTime))
      }
      consider(lastReport + Self.reportInterval)
    }
    if work == nil, stretch?.isGrowing == true, nextGrowth > now { consider(nextGrowth) }
    return wake.map { max($0, now + .milliseconds(1)) }
  }
}

// MARK: - Reading

extension PlaybackState {
  /// Reads ahead, as far as the speed asks for.
  private mutating func readOn(_ now: Duration) -> [PlaybackEffect] {
    guard work == nil, endTime == nil, let stretch else { return [] }
    let wanted = Int64(Double(Self.readAhead) * max(rate, 1))
    let time = isPaused ? position : max(position, mediaTime(at: now))
    guard loadedUntil - time < wanted else { return [] }
    if loadedUntil >= window.upperBound {
      endTime = window.upperBound
      return []
    }
    guard nextFragment < stretch.fragments.count else {
      guard stretch.isGrowing else {
        return ask(.find(time: stretch.endTime, stream: stream, except: stretch.id))
      }
      guard now >= nextGrowth else { return [] }
      nextGrowth = now + Self.growthInterval
      return ask(.extend)
    }
    var indices: [Int] = []
    var size: Int64 = 0
    while nextFragment < stretch.fragments.count {
      let fragment = stretch.fragments[nextFragment]
      if loadedUntil >= window.upperBound { break }
      if !indices.isEmpty, size + fragment.size > Self.readLimit || loadedUntil - time >= wanted { break }
      if fragment.time - loadedUntil > Self.gapTolerance {
        hole = (hole?.lowerBound ?? loadedUntil)..<fragment.time
      }
      if !keyFramesOnly || fragment.startsWithKeyFrame {
        indices.append(nextFragment)
        if let hole { holes[nextFragment] = hole }
        hole = nil
        size += fragment.size
      }
      loadedUntil = fragment.endTime
      nextFragment += 1
    }
    // Only rests of groups were left.
    if indices.isEmpty { return readOn(now) }
    return ask(.load(indices, keyFramesOnly: keyFramesOnly))
  }

  mutating func goOn(_ asked: PlaybackWork, _ outcome: PlaybackOutcome, _ now: Duration) -> [PlaybackEffect] {
    switch (asked, outcome) {
    case (.extend, .found(let found)):
      if found == nil { stretch?.isGrowing = false }
    case (_, .found(let found)):
      guard let found, found.endTime > loadedUntil, found.startTime < window.upperBound else {
        endTime = min(loadedUntil, window.upperBound)
        break
      }
      guard codecs.contains(found.codec) else { return end(.codec(found.codec)) }
      nextFragment =
        found.fragments.firstIndex {
          $0.startsWithKeyFrame && $0.time >= loadedUntil - Self.gapTolerance
        } ?? found.fragments.count
    case (_, .loaded(let loaded)): take(loaded)
    case (.load, .failed(let failure)):
      loadedUntil = queuedUntil
      (hole, holes) = (nil, [:])
      let actions = skip(failure, now)
      return actions + (phase == .running ? pump(now) : [])
    case (.extend, .failed(.unreadable)): stretch?.isGrowing = false
    case (_, .failed(let failure)): return end(failure)
    }
    return pump(now)
  }

  private mutating func take(_ loaded: [(index: Int, samples: [PlaybackSample])]) {
    for (index, samples) in loaded {
      var gap = holes[index]
      for sample in samples where sample.time < window.upperBound {
        if keyFramesOnly, sample.unit?.isKeyFrame != true { continue }
        // A gap is jumped with a picture.
        guard sample.unit != nil || gap == nil else { continue }
        queue.append(.init(sample: sample, gap: gap))
        gap = nil
        lastFailure = nil
      }
      if let fragment = stretch?.fragments[safe: index] { queuedUntil = fragment.endTime }
    }
    holes = [:]
  }
}

extension Array {
  subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
