import Foundation
import OrielModel

/// What people have set on the device, kept over restarts in `settings.json`.
struct AgentSettings: Sendable, Codable, Equatable {
  /// The definition that new views of a camera start with, by cameraNo.
  var videoLevels: [Int: VideoLevel] = [:]

  static let sizeLimit = 16 * 1024
}

extension DataFolder {
  /// Settings that cannot be read are as good as none: they are a convenience, not an identity.
  func settings() -> AgentSettings {
    guard let data = try? read("settings.json", limit: AgentSettings.sizeLimit) else {
      return AgentSettings()
    }
    return (try? JSONDecoder().decode(AgentSettings.self, from: data)) ?? AgentSettings()
  }

  /// - Throws: `OrielError` 730010 when they cannot be written.
  func write(_ settings: AgentSettings) throws {
    guard let data = try? JSONEncoder().encode(settings) else { throw OrielError(.dataFolder) }
    try write(data, to: "settings.json")
  }
}
