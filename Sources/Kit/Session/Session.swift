import Foundation
public import OrielModel
import OrielNet

/// One program's connection to a platform: sign in, list devices, make players.
///
/// Requests run over kept connections on one network thread that all sessions of the process share. The link
/// that carries signalling and events is opened when first needed and comes back by itself.
public final class Session: Sendable {
  /// The platform.
  public let server: ServerAddress
  let client: PlatformClient
  let link: ViewerLink
  let renewal = TokenRenewal()

  /// Makes a session without any traffic.
  ///
  /// - Parameters:
  ///   - server: nil: the one that ``ServerChoice/resolve(given:environment:profileFile:)`` finds.
  ///   - accessToken: nil: the one that is known for that server, if any.
  /// - Throws: `OrielError` 400002, 730010 (see `ServerChoice`), 150000 when the system has no descriptors left.
  public init(server: ServerAddress? = nil, accessToken: String? = nil) throws {
    let choice = try ServerChoice.resolve(given: server)
    self.server = choice.server
    client = PlatformClient(
      address: choice.server, loop: try ClientLoop.shared(), accessToken: accessToken ?? choice.accessToken)
    link = ViewerLink(connector: PlatformLinkConnector(client: client))
  }

  /// With a link of another kind; for tests.
  init(server: ServerAddress, connector: any LinkConnector) throws {
    self.server = server
    client = PlatformClient(address: server, loop: try ClientLoop.shared(), accessToken: nil)
    link = ViewerLink(connector: connector)
  }

  deinit { link.shutDown() }

  /// Makes a session and checks that a platform answers.
  /// - Throws: as `init`; `OrielError` 730001 when nobody answers, 730002 when its key is not the pinned one,
  ///   730003 when it is no platform.
  public static func connect(
    to server: ServerAddress? = nil, accessToken: String? = nil
  ) async throws -> Session {
    let session = try Session(server: server, accessToken: accessToken)
    _ = try await session.platform()
    return session
  }

  /// The token that requests carry; nil while nobody is signed in.
  public var accessToken: String? { client.accessToken }

  /// Takes another token from the next request on. Views that run go on.
  public func setAccessToken(_ token: String?) {
    client.accessToken = token
    link.tokenChanged()
  }

  /// Signs in and keeps the token.
  /// - Throws: `OrielError` 110019 wrong account or password, 110006 or 110029 too many attempts, 730001...730003.
  @discardableResult
  public func signIn(account: String, password: String) async throws -> AccessToken {
    let token = try await client.call(
      "POST", "/v1/login", body: ["account": account, "password": password], needsToken: false,
      as: AccessToken.self)
    setAccessToken(token.accessToken)
    return token
  }

  /// Takes a token that a server of one's own got, and checks it.
  /// - Returns: the account it belongs to.
  /// - Throws: `OrielError` 110002 or 110003 when the token does not hold; then the former one stays.
  @discardableResult
  public func signIn(accessToken: String) async throws -> String {
    let former = client.accessToken
    client.accessToken = accessToken
    do {
      let account = try await account()
      link.tokenChanged()
      return account
    } catch {
      client.accessToken = former
      throw error
    }
  }

  /// Ends the token on the platform and forgets it.
  public func signOut() async throws {
    renewal.stop()
    try await client.call("POST", "/v1/logout")
    setAccessToken(nil)
  }

  /// The account that is signed in.
  public func account() async throws -> String {
    struct Me: Decodable { var account: String }
    return try await client.call("GET", "/v1/me", as: Me.self).account
  }

  /// What the platform says about itself, without signing in.
  public func platform() async throws -> PlatformDescription {
    try await client.call("GET", "/v1/platform", needsToken: false, as: PlatformDescription.self)
  }

  /// Devices of the account that come, go or change, from now on; ends with the session.
  public func deviceEvents() -> AsyncStream<DeviceEvent> { link.deviceEvents() }

  /// Closes the link. Players of this session end with 740002 unless they are stopped.
  public func close() async {
    renewal.stop()
    await link.close()
    await client.http.close()
  }
}

/// What a platform says about itself.
public struct PlatformDescription: Sendable, Codable, Equatable {
  public var version: String
  public var areas: [Area]?

  /// A region with its own address (EZAreaInfo of the first manual).
  public struct Area: Sendable, Codable, Equatable {
    public var id: Int
    public var name: String
    public var region: String?
    public var telephoneCode: Int?
    /// Where the area's platform is; nil: here.
    public var url: String?
  }
}
