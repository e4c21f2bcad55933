import Foundation
public import OrielKit
public import OrielModel

/// Where the second manual's models find their platform: the same place as everything else of Oriel.
///
/// Without a call of `configure` it is `ORIEL_SERVER`, else the profile of `oriel login`, else the platform of
/// `make run`, with the token that is known for it.
@MainActor
public enum SDKConfig {
  /// Names this program in messages to cameras; drawn at random at each start.
  public static let clientId = UUID().uuidString
  private static var configured: Session?

  /// Names the platform and the token.
  /// - Parameters:
  ///   - server: nil: found as above.
  ///   - accessToken: nil: the one that is known for that server.
  /// - Throws: `OrielError` 400002 or 730010.
  public static func configure(server: ServerAddress? = nil, accessToken: String? = nil) throws {
    configured = try Session(server: server, accessToken: accessToken)
  }

  /// Uses a session that the program has already.
  public static func configure(session: Session) { configured = session }

  /// The account, which is what the manual calls a space.
  /// - Throws: `OrielError` 730004 when nobody is signed in, 110002, 110003, 730001...730003.
  public static func spaceId() async throws -> String { try await session().account() }

  static func session() throws -> Session {
    if let configured { return configured }
    let session = try Session()
    configured = session
    return session
  }
}
