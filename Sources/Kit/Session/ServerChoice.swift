public import Foundation
public import OrielModel

/// Which platform is meant when a program names none.
///
/// In this order: `ORIEL_SERVER` in the environment; the profile of `oriel login`; the platform that
/// `make run` starts on this machine.
public struct ServerChoice: Sendable, Equatable {
  public enum Origin: Sendable, Equatable { case given, environment, profile, loopback }

  public var server: ServerAddress
  /// A token that is known for this platform: from `ORIEL_ACCESS_TOKEN`, or from the profile of the same server.
  public var accessToken: String?
  public var account: String?
  public var origin: Origin

  /// The platform of `make run`.
  public static let loopback = "http://127.0.0.1:7080"

  /// - Throws: `OrielError` 400002 when `ORIEL_SERVER` is no address, 730010 when the profile cannot be read.
  public static func resolve(
    given: ServerAddress? = nil, environment: [String: String] = ProcessInfo.processInfo.environment,
    profileFile: URL? = nil
  ) throws -> ServerChoice {
    let token = environment["ORIEL_ACCESS_TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
    let named = environment["ORIEL_SERVER"].flatMap { $0.isEmpty ? nil : $0 }
    let file = profileFile ?? ServerProfile.defaultFile(environment: environment)
    // A broken profile must not keep a program from a server that it names itself.
    let profile =
      given == nil && named == nil ? try ServerProfile.load(from: file) : try? ServerProfile.load(from: file)
    func choice(_ server: ServerAddress, _ origin: Origin) -> ServerChoice {
      let known = profile?.server == server ? profile : nil
      return ServerChoice(
        server: server, accessToken: token ?? known?.accessToken,
        account: token == nil ? known?.account : nil, origin: origin)
    }
    if let given { return choice(given, .given) }
    if let named { return choice(try ServerAddress(named), .environment) }
    if let profile { return choice(profile.server, .profile) }
    return choice(try ServerAddress(loopback), .loopback)
  }
}
