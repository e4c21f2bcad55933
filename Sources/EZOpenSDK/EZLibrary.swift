import Foundation
import OrielKit
import OrielModel
import Synchronization

/// What `initLib` sets up and `destoryLib` takes down.
enum EZLibrary {
  private struct State {
    var session: Session?
    var appKey = ""
    /// What `getAreaList` found, by id.
    var areas: [Int: PlatformDescription.Area] = [:]
    var players: [WeakPlayer] = []
  }

  private struct WeakPlayer {
    weak var player: EZPlayer?
  }

  private static let state = Mutex(State())

  /// - Throws: `OrielError`.
  static func start(appKey: String?, url: String?) throws {
    guard let appKey, !appKey.isEmpty else { throw OrielError(.appKeyNull) }
    let server = try url.flatMap { $0.isEmpty ? nil : $0 }.map { try ServerAddress($0) }
    let session = try Session(server: server)
    state.withLock {
      $0.session = session
      $0.appKey = appKey
    }
  }

  static func stop() -> Bool {
    let (session, players) = state.withLock { state in
      defer { state = State() }
      return (state.session, state.players.compactMap(\.player))
    }
    for player in players { player.destoryPlayer() }
    guard let session else { return false }
    Task { await session.close() }
    return true
  }

  /// - Throws: `OrielError` 730005 before `initLib`.
  static func session() throws -> Session {
    guard let session = state.withLock({ $0.session }) else { throw OrielError(.notInitialised) }
    return session
  }

  static var appKey: String { state.withLock { $0.appKey } }

  static func remember(_ areas: [PlatformDescription.Area]) {
    state.withLock { state in
      for area in areas { state.areas[area.id] = area }
    }
  }

  static func area(_ id: Int) -> PlatformDescription.Area? { state.withLock { $0.areas[id] } }

  /// Another platform from now on; players of the former one go on.
  static func use(_ session: Session) { state.withLock { $0.session = session } }

  static func add(_ player: EZPlayer) {
    state.withLock { state in
      state.players.removeAll { $0.player == nil }
      state.players.append(WeakPlayer(player: player))
    }
  }

  /// The players of this camera that are in use.
  static func players(serial: String, cameraNo: Int) -> [EZPlayer] {
    state.withLock { $0.players.compactMap(\.player) }
      .filter { $0.deviceSerial == serial && $0.cameraNo == cameraNo }
  }

  /// Says that the user must sign in again, when that is what the error means. On the main queue.
  static func noteTokenRefused(_ error: NSError) {
    let codes = [ErrorCode.accessTokenInvalid, .accessTokenExpired].map(\.rawValue)
    guard codes.contains(error.code) else { return }
    NotificationCenter.default.post(name: .EZNeedRelogin, object: nil)
  }
}
