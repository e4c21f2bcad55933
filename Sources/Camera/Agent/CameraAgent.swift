import OrielCrypto
import OrielMedia
public import OrielModel
import OrielNet
import OrielRTC

/// Turns sources into one device of the platform and serves its viewers.
///
/// ```swift
/// let agent = try CameraAgent(configuration: AgentConfiguration(
///   dataFolder: "camera", sources: [CameraSourceConfiguration(address: "test")],
///   platform: ServerAddress("http://127.0.0.1:7080")))
/// try await agent.start()
/// ```
public actor CameraAgent {
  /// The version that the device reports.
  public static let version = "0.1.0"
  /// Cameras of one agent.
  public static let cameraLimit = 64

  public nonisolated let configuration: AgentConfiguration
  /// What is printed on the device. Holds its verification code.
  public nonisolated let label: DeviceLabel
  /// What happens, from the start on; read it once. Ends with `stop()`.
  public nonisolated let events: AsyncStream<AgentEvent>

  let log = Log("camera")
  let identity: DeviceIdentity
  let timing = Timing(ContinuousClock())
  private(set) var units: [CameraUnit] = []
  private(set) var link: PlatformLink?
  var codeGuard = CodeGuard()
  private let continuation: AsyncStream<AgentEvent>.Continuation
  private let folder: DataFolder
  private let locations: [(main: SourceLocation, sub: SourceLocation?)]
  private var settings: AgentSettings
  private var loop: EventLoop?
  private var sessions: ViewerSessions?
  private let changes: AsyncStream<Void>
  private let changed: AsyncStream<Void>.Continuation
  private var reporter: Task<Void, Never>?
  private var lastReport: DeviceReport?
  private var covers: [Task<Void, Never>] = []
  private var commands: [String: Task<Void, Never>] = [:]
  private var uploader: Uploader?
  private(set) var recording: AgentRecording?
  private var uploadWaker: Task<Void, Never>?
  private var sensing: Task<Void, Never>?
  private let sensors: Sensors
  private var hasStopped = false

  /// Commands at once; more are not answered.
  static let commandLimit = 32
  /// Changes within this time make one report.
  static let reportDelay = Duration.milliseconds(200)

  /// Locks the data folder, reads the identity or makes it.
  /// - Throws: `OrielError` 730010 when the data folder cannot be used, 730011 when another agent uses it,
  ///   710007 when a source's address is none, 400002 when there are no sources or more than 64.
  public init(configuration: AgentConfiguration) throws {
    guard (1...Self.cameraLimit).contains(configuration.sources.count) else {
      throw OrielError(.argumentError, "an agent has 1 to \(Self.cameraLimit) cameras")
    }
    self.configuration = configuration
    sensors = Sensors(root: configuration.sensorRoot)
    locations = try configuration.sources.map { (try $0.location(), try $0.subLocation()) }
    folder = try DataFolder(configuration.dataFolder)
    identity = try folder.identity()
    settings = folder.settings()
    label = DeviceLabel(
      serial: identity.serial, code: identity.code, model: configuration.model,
      agreementKey: identity.agreementKey.publicKey)
    (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
    (changes, changed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  deinit {
    for task in covers + Array(commands.values) { task.cancel() }
    uploadWaker?.cancel()
    sensing?.cancel()
    changed.finish()
    continuation.finish()
  }

  /// Starts the sources and the link; returns at once. An unreachable platform is an event, not an error.
  /// - Throws: `OrielError` 150000 when the system has nothing left, 400002 after `stop()`.
  public func start() async throws {
    guard !hasStopped else { throw OrielError(.argumentError, "an agent that was stopped stays so") }
    guard loop == nil else { return }
    let loop = try EventLoop.start(name: "oriel-camera")
    self.loop = loop
    let link = try PlatformLink(
      address: configuration.platform, loop: loop, identity: identity, handlers: handlers(), timing: timing,
      log: log)
    self.link = link
    reporter = Task { [changes, timing, weak self] in
      for await _ in changes {
        try? await timing.sleep(Self.reportDelay)
        await self?.sendReport()
      }
    }
    let made = await makeUnits()
    units = made
    if let settings = configuration.recording {
      recording = await AgentRecording(
        settings, of: made, serial: identity.serial.description, dataFolder: folder.path,
        upload: configuration.upload
      ) { [continuation] in continuation.yield(.recording(cameraNo: $0, $1)) }
    }
    sessions = await makeSessions(of: made, recordings: recording?.store, over: link)
    for unit in made {
      await unit.start()
      covers.append(Task { [weak self] in await self?.keepCover(of: unit) })
    }
    await link.start()
    sensing = Task { [weak self, sensors] in
      while (try? await Task.sleep(for: Sensors.interval)) != nil {
        let reading = sensors.read()
        if !reading.isEmpty { await self?.sessions?.tell(reading) }
      }
    }
    if let store = recording?.store {
      await upload(from: store)
      uploadWaker = Task { [weak self] in
        for await _ in store.finished { await self?.recordingFinished() }
      }
    }
  }

  /// Says goodbye to viewers and platform and returns when everything is given back. It cannot start again.
  public func stop() async {
    guard !hasStopped else { return }
    hasStopped = true
    let tasks = covers + Array(commands.values)
    for task in tasks { task.cancel() }
    await sessions?.stop()
    for unit in units { await unit.stop() }
    await recording?.stop()
    uploadWaker?.cancel()
    sensing?.cancel()
    for task in tasks { await task.value }
    changed.finish()
    await reporter?.value
    await uploader?.stop()
    await link?.stop()
    await loop?.stop()
    folder.unlock()
    continuation.finish()
  }

  /// The cameras as they are now; empty before `start()`.
  public var cameras: [CameraRecord] {
    get async { await RTCActor.run { [units] in units.map(\.record) } }
  }

  /// How many viewers are served now.
  public var viewerCount: Int {
    get async { await sessions?.count ?? 0 }
  }

  // MARK: Link

  private func handlers() -> PlatformLink.Handlers {
    PlatformLink.Handlers(
      report: { [weak self] in await self?.makeReport() },
      welcomed: { [weak self] in await self?.welcomed($0) },
      received: { [weak self] in await self?.received($0) },
      wentOffline: { [weak self, continuation] error, delay in
        continuation.yield(.offline(error, retryIn: delay))
        await self?.uploader?.wentOffline()
      })
  }

  /// Uploads what the queue has, as the configuration's `upload` says.
  func upload(from queue: any UploadQueue) async {
    guard uploader == nil, let link, let loop, !hasStopped, configuration.upload != .none else { return }
    let uploader = Uploader(
      queue: queue, choice: configuration.upload,
      client: HTTPClient(address: configuration.platform, loop: loop), timing: timing, log: Log("upload"),
      send: { link.send($0) })
    self.uploader = uploader
    if await link.isOnline { await uploader.wentOnline() }
  }

  /// A recording has been finished.
  func recordingFinished() async { await uploader?.wake() }

  /// The best that one of its cameras can.
  private var talkCapability: TalkCapability {
    let talks = configuration.sources.compactMap(\.talk?.duplex)
    return talks.contains(.fullDuplex) ? .fullDuplex : talks.first ?? .none
  }

  private func makeReport() async -> DeviceReport {
    let report = DeviceReport(
      name: configuration.name, model: configuration.model, version: Self.version, talk: talkCapability,
      cameras: await cameras)
    lastReport = report
    return report
  }

  private func sendReport() async {
    let before = lastReport
    let report = await makeReport()
    if report != before { link?.send(.report(report)) }
  }

  private func welcomed(_ welcome: Welcome) async {
    await sessions?.setICEServers(welcome.iceServers)
    await uploader?.wentOnline()
    continuation.yield(.online)
    // What changed while HELLO was under way.
    changed.yield()
  }

  private func received(_ message: LinkMessage) async {
    switch message {
    case .signal(let signal): await sessions?.receive(signal)
    case .command(let command): begin(command)
    case .uploadGrant(let grant): await uploader?.received(grant)
    default: break
    }
  }

  /// Commands run beside each other, so that a capture does not hold up a session.
  private func begin(_ command: Command) {
    guard !hasStopped, commands.count < Self.commandLimit, commands[command.id] == nil else { return }
    commands[command.id] = Task { [weak self] in
      guard let result = await self?.execute(command) else { return }
      await self?.finish(result)
    }
  }

  private func finish(_ result: CommandResult) {
    commands[result.id] = nil
    link?.send(.commandResult(result))
  }

  // MARK: Cameras

  private func makeUnits() async -> [CameraUnit] {
    let (sources, locations, levels, log) = (configuration.sources, locations, settings.videoLevels, log)
    let (continuation, changed) = (continuation, changed)
    let isRecording = configuration.recording != nil
    return await RTCActor.run {
      zip(sources, locations).enumerated().map { index, camera in
        var options = SourceOptions()
        options.forceEncode = camera.0.forceEncode
        options.allowH265 = camera.0.allowsH265
        options.subLocation = camera.1.sub
        options.keepsOwnAudio = isRecording
        options.wantsAudio = camera.0.microphone == nil
        let unit = CameraUnit(
          cameraNo: index + 1, location: camera.1.main, options: options,
          name: camera.0.name ?? "Camera \(index + 1)", videoLevel: levels[index + 1] ?? camera.0.videoLevel,
          talk: camera.0.talk, microphone: camera.0.microphone, log: log)
        unit.onChange = {
          continuation.yield(.camera($0))
          changed.yield()
        }
        return unit
      }
    }
  }

  private func makeSessions(
    of units: [CameraUnit], recordings: (any RecordedMedia)?, over link: PlatformLink
  ) async -> ViewerSessions {
    let (configuration, continuation) = (configuration, continuation)
    return await RTCActor.run {
      let sessions = ViewerSessions(
        units: units, recordings: recordings, viewerLimit: configuration.viewerLimit,
        relayOnly: configuration.relayOnly,
        makePeer: { options throws(OrielError) in try RTCViewerPeer(options) },
        send: { link.send(.signal($0)) })
      sessions.onCount = { continuation.yield(.viewers($0)) }
      return sessions
    }
  }

  /// Remembers a camera's definition over restarts.
  func keep(_ level: VideoLevel, of cameraNo: Int) {
    settings.videoLevels[cameraNo] = level
    do { try folder.write(settings) } catch { log.warning("settings are not kept: \(error)") }
  }
}
