import Foundation
import OrielCrypto
import OrielModel
import OrielNet

/// The server: accounts, devices, who may see what, and the introduction of viewers to cameras.
///
/// Media does not pass through it.
public actor PlatformServer {
  private let configuration: PlatformConfiguration
  private let time: PlatformTime
  private var running: Running?

  private struct Running {
    let folder: DataFolder
    let loop: EventLoop
    let store: any Store
    let switchboard: Switchboard
    let cloud: Cloud?
    let server: HTTPServer
  }

  public init(configuration: PlatformConfiguration) {
    self.init(configuration: configuration, time: .system)
  }

  init(configuration: PlatformConfiguration, time: PlatformTime) {
    self.configuration = configuration
    self.time = time
  }

  /// Opens the data folder, makes the administrator at the first start, and listens.
  /// - Throws: `OrielError` 730009 when a port is in use, 730010 when the data folder or the certificate cannot
  ///   be used, 730011 when another platform uses the folder, 400002 for plain HTTP beyond loopback.
  public func start() async throws -> PlatformAddresses {
    guard running == nil else { throw OrielError(.argumentError, "it runs already") }
    let folder = try DataFolder(configuration.dataFolder)
    let identity = try tlsIdentity()
    let store = try SQLiteStore(path: try folder.prepare("platform.sqlite"))
    do {
      let loop = try EventLoop.start(name: "oriel.platform")
      do {
        return try await start(folder, identity, store, loop)
      } catch {
        await loop.stop()
        throw error
      }
    } catch {
      await store.close()
      throw error
    }
  }

  private func start(_ folder: DataFolder, _ identity: TLSIdentity?, _ store: SQLiteStore, _ loop: EventLoop)
    async throws -> PlatformAddresses
  {
    let passwords = PasswordPool()
    let administration = Administration(store: store, passwords: passwords, time: time)
    let pictures = try PictureFolder(dataFolder: folder.path)
    let gatekeeper = Gatekeeper(store: store, passwords: passwords, time: time, loop: loop)
    let signing = SignedAddress(key: try await pictureKey(store))
    let cloud = try await makeCloud(folder, signing, store, loop)
    let switchboard = Switchboard(
      store: store, gatekeeper: gatekeeper, pictures: pictures,
      ice: ICEServers(stunURLs: configuration.stunURLs, turn: configuration.turn), uploads: cloud?.uploads,
      time: time, loop: loop)
    let registry = DeviceRegistry(
      store: store, switchboard: switchboard, pictures: pictures, addresses: signing, cloud: cloud,
      time: time, loop: loop)
    let records = RecordsAPI(
      registry: registry, cloud: cloud.map { CloudRecords(cloud: $0, devices: store) })
    let door = FrontDoor(
      lapp: LappAPI(gatekeeper: gatekeeper, registry: registry, records: records),
      v1: V1API(
        gatekeeper: gatekeeper, registry: registry, administration: administration, records: records,
        cloud: cloud.map { CloudAPI(cloud: $0, registry: registry) }, areas: configuration.areas),
      authorization: AuthorizationAPI(
        authorizations: Authorizations(gatekeeper: gatekeeper, store: store, time: time, loop: loop)),
      console: ConsoleFiles(folder: configuration.consoleFolder), switchboard: switchboard,
      publicNames: configuration.publicNames, dataFolder: folder.path, time: time)
    let listeners = configuration.listeners.map {
      HTTPListener(host: $0.host, port: $0.port, tls: $0.isTLS ? identity : nil)
    }
    var limits = HTTPLimits()
    limits.connectionsPerAddress = configuration.connectionsPerAddress
    let server = HTTPServer(
      configuration: HTTPServerConfiguration(listeners: listeners, limits: limits), loop: loop,
      handler: { await door.answer($0) })
    let sockets = try await server.start()
    let firstStart: FirstStart?
    do {
      // Only now: had the port been taken, nobody would have seen the password.
      firstStart = try await makeFirstStart(administration, store)
    } catch {
      await server.drain(within: .zero)
      throw error
    }
    await switchboard.start()
    await cloud?.sweeper.start()
    running = Running(
      folder: folder, loop: loop, store: store, switchboard: switchboard, cloud: cloud, server: server)
    return PlatformAddresses(
      addresses: addresses(of: sockets, identity), fingerprint: identity?.fingerprint,
      firstStart: firstStart)
  }

  /// Stops: no new connections, links are told to go elsewhere, running requests finish within 5 s, and the
  /// data folder is released.
  public func drain() async {
    guard let running else { return }
    self.running = nil
    await running.switchboard.drain()
    await running.server.drain(within: .seconds(5))
    await running.cloud?.sweeper.stop()
    await running.store.close()
    await running.loop.stop()
  }

  /// For tests.
  var cloud: Cloud? { running?.cloud }

  // MARK: Parts

  private func makeCloud(
    _ folder: DataFolder, _ signing: SignedAddress, _ index: SQLiteStore, _ loop: EventLoop
  ) async throws -> Cloud? {
    guard let wish = configuration.cloud else { return nil }
    let bucket = wish.bucket.map {
      S3CloudStore(location: $0.location, credentials: $0.credentials, loop: loop)
    }
    do { try await bucket?.check() } catch let error as OrielError where error.code == .platformUnreachable {
      // It may come back; what is wrong with the credentials does not mend itself.
      Log("cloud").warning("the bucket cannot be reached now; uploads will wait for it")
    }
    return try Cloud(
      index: index, dataFolder: folder.path, store: bucket, limits: wish.limits, addresses: signing,
      time: time,
      loop: loop)
  }

  private func tlsIdentity() throws -> TLSIdentity? {
    guard configuration.listeners.contains(where: \.isTLS) else { return nil }
    switch configuration.certificate {
    case .files(let certificate, let key):
      return try TLSIdentity.load(certificateFile: certificate, keyFile: key)
    case .generated(let names):
      return try TLSIdentity.generate(
        in: configuration.dataFolder, names: names + ["localhost", "127.0.0.1", Self.hostName])
    }
  }

  private func makeFirstStart(_ administration: Administration, _ store: any Store) async throws
    -> FirstStart?
  {
    let passwordFile = configuration.dataFolder + "/first-account.txt"
    let early = passwordFile + ".early"
    let made = try await administration.makeFirstAccount { account, password in
      try PrivateFile.write(Array("\(account)\n\(password)\n".utf8), to: early)
    }
    // Under its name only now that it is true; a start that was killed before is made good by the next.
    rename(early, passwordFile)
    guard let first = made else { return nil }
    let file = configuration.dataFolder + "/application.json"
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let json = try encoder.encode(["appKey": first.appKey, "appSecret": first.appSecret])
    try PrivateFile.write([UInt8](json) + [10], to: file)
    try await store.flush()
    return FirstStart(
      account: first.name, password: first.password, appKey: first.appKey, applicationFile: file,
      passwordFile: passwordFile)
  }

  /// Signs the addresses of pictures; kept, so that they survive a restart.
  private func pictureKey(_ store: any Store) async throws -> [UInt8] {
    if let key = try await store.setting("picture-key"), key.count == 32 { return key }
    let key = try RandomBytes.make(count: 32)
    try await store.saveSetting("picture-key", key)
    return key
  }

  private func addresses(of sockets: [SocketAddress], _ identity: TLSIdentity?) -> [String] {
    zip(configuration.listeners, sockets).map { listener, socket in
      guard listener.isTLS, let identity else { return "http://\(socket)" }
      let isAny = listener.host == "0.0.0.0" || listener.host == "::"
      let host = isAny ? name ?? Self.hostName : socket.host
      return "https://\(SocketAddress(host: host, port: socket.port))#\(identity.fingerprint)"
    }
  }

  /// The name that others use, when one was given.
  private var name: String? {
    guard case .generated(let names) = configuration.certificate else { return nil }
    return names.first
  }

  private static var hostName: String { ProcessInfo.processInfo.hostName }
}
