internal import Synchronization

/// Decides for one source what is passed on and what is decoded and encoded, and does it.
///
/// Called by one capture at a time; what it calls in turn never comes back into it under its lock.
final class StreamRouter: Sendable {
  /// The latest group of pictures is kept for a decoder that starts in its middle, up to so much.
  private static let groupLimit = (units: 600, bytes: 24 << 20)

  private struct State {
    var inspector: StreamInspector?
    /// Why the stream is encoded; nil while it is passed on.
    var obstacle: String?
    var isPassing = false
    var group: [AccessUnit] = []
    var groupBytes = 0
    var decoder: DecodePipeline?
    var firstDecoded = Duration.zero
    var wantsSub = false
    var lastTimestamps: [MediaStream: Duration] = [:]
    var descriptions: [MediaStream: SourceDescription] = [:]
    var rate = RateMeter()
    var hasAudio = false
  }

  private let options: SourceOptions
  /// Which stream the source's own picture is.
  private let role: MediaStream
  private let timeline: SourceTimeline
  private let retire: @Sendable (@escaping @Sendable () -> Void) -> Void
  private let emit: @Sendable (SourceEvent) -> Void
  private let fail: @Sendable (MediaStream, MediaFailure) -> Void
  private let state = Mutex(State())
  private let encoderBox = Mutex<EncoderSet?>(nil)

  init(
    role: MediaStream, options: SourceOptions, timeline: SourceTimeline,
    retire: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
    emit: @escaping @Sendable (SourceEvent) -> Void,
    fail: @escaping @Sendable (MediaStream, MediaFailure) -> Void
  ) {
    self.role = role
    self.options = options
    self.timeline = timeline
    self.retire = retire
    self.emit = emit
    self.fail = fail
    let set = EncoderSet(
      options: options, retire: retire,
      emit: { [weak self] stream, bytes, time in self?.takeEncoded(stream, bytes, time) }, fail: fail)
    encoderBox.withLock { $0 = set }
  }

  private var encoders: EncoderSet? { encoderBox.withLock { $0 } }

  // From the capture

  /// A raw picture: always encoded.
  func take(_ sample: MediaSample, at time: UInt64) {
    state.withLock { $0.obstacle = $0.obstacle ?? "the source gives raw pictures" }
    guard let encoders else { return }
    if !encoders.isActive(role) { encoders.setActive(role, true) }
    encoders.push(sample, at: timeline.timestamp(time))
  }

  /// An encoded picture in byte stream form.
  func take(_ codec: VideoCodec, _ bytes: [UInt8], at time: UInt64) {
    let timestamp = timeline.timestamp(time)
    var events: [SourceEvent] = []
    var old: DecodePipeline?
    let needsDecoder: Bool = state.withLock { state in
      if state.inspector?.codec != codec {
        state.inspector = StreamInspector(codec: codec, allowH265: options.allowH265)
        (old, state.decoder) = (state.decoder, nil)
        state.group = []
        state.isPassing = false
        state.obstacle = nil
        state.rate = RateMeter()
      }
      guard let finding = state.inspector?.inspect(bytes), finding.hasPicture else { return false }
      let hadRate = state.rate.rate != nil
      state.rate.note(timestamp)
      if finding.isKeyFrame { decide(&state, isNewFormat: finding.isNewFormat) }
      if finding.hasBipredicted && state.obstacle == nil {
        state.obstacle = "the source uses B-pictures, which browsers cannot show live"
        state.isPassing = false
      }
      var unit = AccessUnit(
        codec: codec, isKeyFrame: finding.isKeyFrame, timestamp: timestamp,
        captureTime: timeline.captureTime(timestamp), bytes: bytes)
      if finding.isKeyFrame && !finding.carriesSets, let whole = state.inspector?.withSets(bytes) {
        unit.bytes = whole
      }
      keep(unit, in: &state)
      if state.isPassing {
        if finding.isKeyFrame || (!hadRate && state.rate.rate != nil) {
          describePassedOn(&state, codec, &events)
        }
        if state.descriptions[role] != nil { ordered(&unit, role, &state, &events) }
      }
      return state.obstacle != nil || (state.wantsSub && role == .main)
    }
    if let old { retire { old.stop() } }
    for event in events { emit(event) }
    encoders?.setActive(role, state.withLock { $0.obstacle != nil })
    decode(needsDecoder)
  }

  /// Sound came: descriptions say so from now on.
  func noteAudio() {
    let events: [SourceEvent] = state.withLock { state in
      guard !state.hasAudio else { return [] }
      state.hasAudio = true
      for stream in state.descriptions.keys { state.descriptions[stream]?.hasAudio = true }
      return state.descriptions.values.map { .described($0) }
    }
    for event in events { emit(event) }
  }

  // What others ask

  func setSubStream(_ active: Bool) {
    state.withLock { $0.wantsSub = active }
    encoders?.setActive(.sub, active)
  }

  func requestKeyFrame(_ stream: MediaStream) { encoders?.requestKeyFrame(stream) }
  func setBitrate(_ stream: MediaStream, _ value: Int) { encoders?.setBitrate(stream, value) }

  /// The capture ended; the next one starts with a new stream.
  func reset() {
    let old: DecodePipeline? = state.withLock { state in
      defer {
        state.decoder = nil
        state.inspector = nil
        state.isPassing = false
        state.obstacle = nil
        state.group = []
        state.rate = RateMeter()
      }
      return state.decoder
    }
    if let old { retire { old.stop() } }
  }

  /// Blocks.
  func stop() {
    reset()
    encoders?.stop()
  }

  // Inside

  private func decide(_ state: inout State, isNewFormat: Bool) {
    guard let format = state.inspector?.format else { return }
    if options.forceEncode {
      state.obstacle = state.obstacle ?? "encoding was asked for"
    } else if state.obstacle == nil || isNewFormat {
      state.obstacle = format.obstacle
    }
    state.isPassing = state.obstacle == nil
  }

  private func keep(_ unit: AccessUnit, in state: inout State) {
    if unit.isKeyFrame || state.group.count >= Self.groupLimit.units
      || state.groupBytes > Self.groupLimit.bytes
    {
      state.group = []
      state.groupBytes = 0
    }
    guard unit.isKeyFrame || !state.group.isEmpty else { return }
    state.group.append(unit)
    state.groupBytes += unit.bytes.count
  }

  /// Feeds the decoder, or ends it when nobody needs it.
  private func decode(_ isNeeded: Bool) {
    var old: DecodePipeline?
    var failure: MediaFailure?
    state.withLock { state in
      guard isNeeded else {
        (old, state.decoder) = (state.decoder, nil)
        return
      }
      if let decoder = state.decoder {
        if let unit = state.group.last { decoder.push(unit) }
        return
      }
      guard let codec = state.inspector?.codec, let last = state.group.last else { return }
      do {
        let decoder = try DecodePipeline(
          codec: codec, waitingLimit: Self.groupLimit.units + 100,
          onPicture: { [weak self] in self?.takeDecoded($0, $1) },
          onFailure: { [weak self] in self?.decoderFailed($0) })
        // Catch up from the group's start; what is older than now need not be encoded.
        state.firstDecoded = last.timestamp
        state.decoder = decoder
        for unit in state.group { decoder.push(unit) }
      } catch {
        failure = (error as? MediaFailure) ?? .pipeline("no decoder")
      }
    }
    if let old { retire { old.stop() } }
    if let failure { fail(role, failure) }
  }

  private func decoderFailed(_ failure: MediaFailure) {
    let old: DecodePipeline? = state.withLock { state in
      defer { state.decoder = nil }
      return state.decoder
    }
    if let old { retire { old.stop() } }
    fail(role, failure)
  }

  private func takeDecoded(_ sample: MediaSample, _ label: DecodePipeline.Label) {
    guard state.withLock({ label.timestamp >= $0.firstDecoded }) else { return }
    encoders?.push(sample, at: label.timestamp)
  }

  private func takeEncoded(_ stream: MediaStream, _ bytes: [UInt8], _ timestamp: Duration) {
    var events: [SourceEvent] = []
    state.withLock { state in
      var inspector = StreamInspector(codec: .h264, allowH265: false)
      let finding = inspector.inspect(bytes)
      guard finding.hasPicture else { return }
      if finding.isKeyFrame, let format = inspector.format {
        let description = SourceDescription(
          stream: stream, codec: .h264, width: format.width, height: format.height,
          frameRate: format.rate > 0 ? format.rate : state.rate.rate ?? 0, delivery: .encoded,
          reason: stream == role ? state.obstacle : "the small stream is made from the large one",
          profileLevel: format.profileLevel, hasAudio: state.hasAudio)
        describe(description, &state, &events)
      }
      guard state.descriptions[stream]?.delivery == .encoded else { return }
      var unit = AccessUnit(
        codec: .h264, isKeyFrame: finding.isKeyFrame, timestamp: timestamp,
        captureTime: timeline.captureTime(timestamp), bytes: bytes)
      ordered(&unit, stream, &state, &events)
    }
    for event in events { emit(event) }
  }

  private func describePassedOn(_ state: inout State, _ codec: VideoCodec, _ events: inout [SourceEvent]) {
    guard let format = state.inspector?.format else { return }
    let description = SourceDescription(
      stream: role, codec: codec, width: format.width, height: format.height,
      frameRate: format.rate > 0 ? format.rate : state.rate.rate ?? 0, delivery: .passedOn,
      profileLevel: format.profileLevel, hasAudio: state.hasAudio)
    describe(description, &state, &events)
  }

  private func describe(
    _ description: SourceDescription, _ state: inout State, _ events: inout [SourceEvent]
  ) {
    guard state.descriptions[description.stream] != description else { return }
    state.descriptions[description.stream] = description
    events.append(.described(description))
  }

  /// Times rise strictly within a stream, whatever the source says.
  private func ordered(
    _ unit: inout AccessUnit, _ stream: MediaStream, _ state: inout State, _ events: inout [SourceEvent]
  ) {
    if let last = state.lastTimestamps[stream], unit.timestamp <= last {
      unit.timestamp = last + .milliseconds(1)
    }
    state.lastTimestamps[stream] = unit.timestamp
    events.append(.video(stream, unit))
  }
}

/// Pictures per second, measured over the first pictures of a stream.
struct RateMeter: Sendable {
  private var first: Duration?
  private var count = 0
  private(set) var rate: Double?

  mutating func note(_ time: Duration) {
    guard rate == nil else { return }
    guard let first else {
      first = time
      return
    }
    count += 1
    let span = (time - first) / .seconds(1)
    // Halves are enough; a finer figure would only seem to be exact.
    if count >= 30, span > 0.1 { rate = min(240, (Double(count) / span * 2).rounded() / 2) }
  }
}
