/// The one loop on which everything of this library runs: a GLib main context on a thread of its own.
///
/// Objects isolated to it call each other synchronously and take no lock. GLib (and so libnice) calls
/// back on the same thread, from which `assumeIsolated` enters the isolation for a few nanoseconds.
@globalActor
public actor RTCActor {
  public static let shared = RTCActor()

  nonisolated let loop = MainContextExecutor(name: "oriel-rtc")

  private init() {}

  public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Runs `operation` at once, isolated: only for code that already is on the loop's thread.
  /// A call from elsewhere is an error of the program and traps.
  public static func assumeIsolated<Result>(
    _ operation: @RTCActor () throws -> Result
  ) rethrows -> Result {
    typealias Isolated = @RTCActor () throws -> Result
    typealias Plain = () throws -> Result
    shared.loop.checkIsolated()
    return try withoutActuallyEscaping(operation) { (isolated: @escaping Isolated) throws -> Result in
      // Only the isolation is taken off the type; the check above has shown that it holds.
      try unsafeBitCast(isolated, to: Plain.self)()
    }
  }

  /// Runs `operation` on the loop and gives back its result.
  public static func run<Result: Sendable>(
    _ operation: @RTCActor @Sendable () throws -> Result
  ) async rethrows -> Result {
    try await operation()
  }
}
