public import Foundation
public import OrielModel

/// What `oriel login` remembers: where the platform is, with the key it must show, and a token for an account.
///
/// Kept as JSON in `~/.config/oriel/profile.json` (`$XDG_CONFIG_HOME/oriel/profile.json` when that is set),
/// readable by its owner only.
public struct ServerProfile: Sendable, Equatable, Codable {
  /// The address with its pin.
  public var server: ServerAddress
  public var account: String?
  public var accessToken: String?
  /// When the token ends, UTC milliseconds.
  public var expireTime: Int64?

  public init(
    server: ServerAddress, account: String? = nil, accessToken: String? = nil, expireTime: Int64? = nil
  ) {
    self.server = server
    self.account = account
    self.accessToken = accessToken
    self.expireTime = expireTime
  }

  /// Where the profile of this user is.
  public static func defaultFile(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> URL {
    let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
    let folder =
      environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : URL(fileURLWithPath: $0) }
      ?? URL(fileURLWithPath: home).appendingPathComponent(".config")
    return folder.appendingPathComponent("oriel/profile.json")
  }

  /// Reads a profile.
  /// - Returns: nil when there is none.
  /// - Throws: `OrielError` 730010 when the file cannot be read or is no profile.
  public static func load(from file: URL = defaultFile()) throws -> ServerProfile? {
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    do {
      let data = try Data(contentsOf: file)
      guard data.count <= 65_536 else { throw OrielError(.dataFolder) }
      return try JSONDecoder().decode(ServerProfile.self, from: data)
    } catch {
      throw OrielError(.dataFolder, "\(file.path) is no profile; run `oriel login --server ADDRESS`")
    }
  }

  /// Writes the profile, mode 0600 from its first byte on, in place of an older one.
  /// - Throws: `OrielError` 730010 when it cannot be written.
  public func save(to file: URL = defaultFile()) throws {
    let folder = file.deletingLastPathComponent()
    let fresh = folder.appendingPathComponent(".profile-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      let data = try encoder.encode(self)
      guard
        FileManager.default.createFile(
          atPath: fresh.path, contents: nil, attributes: [.posixPermissions: 0o600])
      else { throw OrielError(.dataFolder) }
      try data.write(to: fresh)
      guard rename(fresh.path, file.path) == 0 else { throw OrielError(.dataFolder) }
    } catch {
      try? FileManager.default.removeItem(at: fresh)
      throw OrielError(.dataFolder, "\(file.path) cannot be written")
    }
  }

  /// Forgets the profile.
  public static func remove(at file: URL = defaultFile()) throws {
    guard FileManager.default.fileExists(atPath: file.path) else { return }
    do { try FileManager.default.removeItem(at: file) } catch {
      throw OrielError(.dataFolder, "\(file.path) cannot be removed")
    }
  }
}

extension ServerProfile: CustomStringConvertible, CustomReflectable {
  public var description: String { "\(server)\(account.map { " as \($0)" } ?? "")" }
  public var customMirror: Mirror { Mirror(self, children: ["server": server]) }
}
