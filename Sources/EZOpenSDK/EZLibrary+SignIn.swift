import Foundation
import OrielKit
import OrielModel

/// The client mode: areas, and the platform's own sign-in page.
extension EZLibrary {
  /// What the platform offers.
  static func areas() async throws -> [PlatformDescription.Area] {
    let areas = try await session().platform().areas ?? []
    remember(areas)
    return areas
  }

  /// Opens the page of an area's platform, and uses that platform from then on.
  /// - Parameter areaId: nil or empty: the platform that is used now.
  /// - Throws: `OrielError` 400002 for an area that there is not; as `Session.signIn(appKey:within:open:)`.
  static func signIn(areaId: String?) async throws -> AccessToken {
    let session = try await session(ofArea: areaId)
    let token = try await session.signIn(appKey: appKey) { try openBrowser($0) }
    use(session)
    return token
  }

  private static func session(ofArea areaId: String?) async throws -> Session {
    let now = try session()
    guard let areaId, !areaId.isEmpty else { return now }
    guard let id = Int(areaId) else { throw OrielError(.argumentError, "an area's id is a number") }
    if area(id) == nil { _ = try await areas() }
    guard let area = area(id) else { throw OrielError(.argumentError, "there is no area \(id)") }
    guard let address = try area.url.map({ try ServerAddress($0) }), address != now.server else { return now }
    return try Session(server: address)
  }

  /// `BROWSER` in the environment, else the desktop's own. The address holds no secret.
  private static func openBrowser(_ page: URL) throws {
    let chosen = ProcessInfo.processInfo.environment["BROWSER"].flatMap { $0.isEmpty ? nil : $0 }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [chosen ?? "xdg-open", page.absoluteString]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    // Who has no browser here may have one elsewhere on this machine.
    process.terminationHandler = { ended in
      if ended.terminationStatus != 0 { Log("ezopensdk").error("open this page to sign in: \(page)") }
    }
    try process.run()
  }
}
