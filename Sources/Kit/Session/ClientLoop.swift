import OrielModel
import OrielNet

/// The one network thread of all sessions of a process, started with the first of them.
enum ClientLoop {
  private static let started = Result { try EventLoop.start(name: "oriel.kit") }

  static func shared() throws -> EventLoop { try started.get() }
}
