import Foundation
import OrielCrypto
import OrielModel
import OrielNet

/// Every link of the platform: who is online, and the way between viewers and cameras.
///
/// Bound to the network loop: a message passes from one socket to the other without a change of thread.
actor Switchboard {
  static let commandLimit = 16

  struct PendingCommand {
    let serial: DeviceSerial
    let deadline: Duration
    let answer: CheckedContinuation<CommandResult, any Error>
  }

  nonisolated let loop: EventLoop
  let store: any Store
  let gatekeeper: Gatekeeper
  let pictures: PictureFolder
  let ice: ICEServers
  /// nil: this platform has no cloud.
  let uploads: CloudUploads?
  let time: PlatformTime
  /// Serials that an address may register for the first time: nobody should take them all.
  let newcomers: CallBudgets
  let log = Log("links")

  var devices: [DeviceSerial: DeviceLink] = [:]
  var viewers: [String: ViewerLink] = [:]
  var viewersOfAccount: [Int64: Set<String>] = [:]
  var commands: [String: PendingCommand] = [:]
  /// Links whose peer has not yet said who it is.
  private var strangers: [ObjectIdentifier: (deadline: Duration, link: Link)] = [:]
  private var commandCount = 0
  private var isDraining = false
  private var clockwork: Task<Void, Never>?

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(
    store: any Store, gatekeeper: Gatekeeper, pictures: PictureFolder, ice: ICEServers,
    uploads: CloudUploads? = nil, time: PlatformTime, loop: EventLoop
  ) {
    self.loop = loop
    self.store = store
    self.gatekeeper = gatekeeper
    self.pictures = pictures
    self.ice = ice
    self.uploads = uploads
    self.time = time
    newcomers = CallBudgets(burst: 8_192, perSecond: 1, time: time, loop: loop)
  }

  // MARK: Life

  /// Starts the one timer that all deadlines of all links share.
  func start() {
    clockwork = Task(executorPreference: loop) { [weak self] in
      while (try? await Task.sleep(for: .milliseconds(250))) != nil { await self?.tick() }
    }
  }

  /// Tells every peer to go elsewhere. Sessions go on: nobody is told that they ended.
  func drain() async {
    isDraining = true
    clockwork?.cancel()
    for link in devices.values { act(link.state.handle(.drain, at: time.uptime()), on: link) }
    for link in viewers.values { act(link.state.handle(.drain, at: time.uptime()), on: link) }
    for (_, link) in strangers.values { close(link, 1001) }
    for (id, command) in commands {
      commands[id] = nil
      command.answer.resume(throwing: OrielError(.deviceOffline, "the platform stops"))
    }
    // What is queued goes out before the server closes the sockets; a peer that does not read is not waited for.
    for _ in 0..<100 where isSending { try? await Task.sleep(for: .milliseconds(10)) }
  }

  private var isSending: Bool {
    devices.values.contains(where: \.isSending) || viewers.values.contains(where: \.isSending)
  }

  func tick() {
    let now = time.uptime()
    for (key, stranger) in strangers where stranger.deadline <= now {
      strangers[key] = nil
      switch stranger.link {
      case let link as DeviceLink: act(link.state.handle(.deadline, at: now), on: link)
      case let link as ViewerLink: act(link.state.handle(.deadline, at: now), on: link)
      default: break
      }
    }
    for (id, command) in commands where command.deadline <= now {
      commands[id] = nil
      command.answer.resume(throwing: OrielError(.deviceTimeout))
    }
    let wall = time.wall()
    for link in viewers.values {
      guard let caller = link.caller, caller.expires <= wall else { continue }
      act(link.state.handle(.tokenEnded(.accessTokenExpired), at: now), on: link)
    }
  }

  // MARK: Sending

  func send(_ message: LinkMessage, on link: Link) {
    guard let text = try? message.text() else { return }
    link.append(text)
    flush(link)
  }

  func close(_ link: Link, _ code: UInt16) {
    link.finish(code)
    flush(link)
  }

  private func flush(_ link: Link) {
    guard !link.isSending else { return }
    link.isSending = true
    // At once and on the loop: nothing changes threads, and what is sent before a close goes out before it.
    Task.immediate(executorPreference: loop) { await self.sendQueue(of: link) }
  }

  private func sendQueue(of link: Link) async {
    while let text = link.next() {
      do { try await link.socket.send(text) } catch { link.drop() }
    }
    link.isSending = false
    if let code = link.closeCode { await link.socket.close(code: code) }
  }

  // MARK: Links

  /// Serves a device's WebSocket until it ends.
  func serveDevice(_ socket: WebSocket, from address: String) async {
    guard !isDraining, let nonce = try? RandomBytes.make(count: 32) else { return }
    let link = DeviceLink(socket: socket, address: address)
    strangers[ObjectIdentifier(link)] = (time.uptime() + DeviceLinkState.helloDeadline, link)
    act(link.state.handle(.opened(nonce: Data(nonce).base64EncodedString()), at: time.uptime()), on: link)
    do {
      for try await message in socket.messages {
        let limit =
          link.state.phase == .serving ? LinkMessage.sizeLimit : DeviceLinkState.helloLimit
        let event = read(message, upTo: limit).map(DeviceLinkState.Event.received) ?? .garbled
        for action in link.state.handle(event, at: time.uptime()) { await perform(action, on: link) }
      }
    } catch {
      log.debug("a device's link ended: \(error)")
    }
    strangers[ObjectIdentifier(link)] = nil
    act(link.state.handle(.lost, at: time.uptime()), on: link)
    link.drop()
  }

  /// Serves a viewer's WebSocket until it ends.
  func serveViewer(_ socket: WebSocket) async {
    guard !isDraining, let name = try? RandomText.make(16, of: RandomText.hexadecimal) else { return }
    let link = ViewerLink(socket: socket, clientId: "viewer-" + name)
    strangers[ObjectIdentifier(link)] = (time.uptime() + ViewerLinkState.authenticateDeadline, link)
    do {
      for try await message in socket.messages {
        let limit =
          link.state.phase == .serving ? LinkMessage.sizeLimit : ViewerLinkState.authenticateLimit
        let event = read(message, upTo: limit).map(ViewerLinkState.Event.received) ?? .garbled
        for action in link.state.handle(event, at: time.uptime()) { await perform(action, on: link) }
      }
    } catch {
      log.debug("a viewer's link ended: \(error)")
    }
    strangers[ObjectIdentifier(link)] = nil
    act(link.state.handle(.lost, at: time.uptime()), on: link)
    link.drop()
  }

  /// The peer has said who it is.
  func introduced(_ link: Link) { strangers[ObjectIdentifier(link)] = nil }

  private func read(_ message: WebSocketMessage, upTo limit: Int) -> LinkMessage? {
    guard case .text(let text) = message, text.utf8.count <= limit else { return nil }
    return try? LinkMessage(text: text)
  }

  // MARK: Commands

  /// Asks a device to do something and waits for its answer.
  /// - Throws: `OrielError` 120007 when it is offline, 120008 when it does not answer in time, 110029 when too
  ///   much is asked of it at once.
  func command(_ request: Command.Request, to serial: DeviceSerial, within limit: Duration) async throws
    -> CommandResult
  {
    guard let link = devices[serial], !isDraining else { throw OrielError(.deviceOffline) }
    guard commands.values.count(where: { $0.serial == serial }) < Self.commandLimit else {
      throw OrielError(.tooFrequent)
    }
    commandCount += 1
    let id = "c\(commandCount)"
    let deadline = time.uptime() + limit
    return try await withCheckedThrowingContinuation { continuation in
      commands[id] = PendingCommand(serial: serial, deadline: deadline, answer: continuation)
      send(.command(Command(id: id, request: request)), on: link)
    }
  }

  func finishCommand(_ result: CommandResult, from serial: DeviceSerial?) {
    // Another device's answer is no answer.
    guard let command = commands[result.id], command.serial == serial else { return }
    commands[result.id] = nil
    command.answer.resume(returning: result)
  }

  func failCommands(of serial: DeviceSerial) {
    for (id, command) in commands where command.serial == serial {
      commands[id] = nil
      command.answer.resume(throwing: OrielError(.deviceOffline))
    }
  }

  // MARK: Who is there

  func isOnline(_ serial: DeviceSerial) -> Bool { devices[serial] != nil }

  func online(among serials: [DeviceSerial]) -> Set<DeviceSerial> {
    Set(serials.filter { devices[$0] != nil })
  }

  /// The device's address as the platform sees it; nil while it is offline.
  func networkAddress(of serial: DeviceSerial) -> String? { devices[serial]?.address }

  var counts: (devices: Int, viewers: Int, strangers: Int, commands: Int) {
    (devices.count, viewers.count, strangers.count, commands.count)
  }
}
