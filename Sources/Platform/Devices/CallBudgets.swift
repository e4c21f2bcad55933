import OrielModel
import OrielNet

/// How often an account may ask for what could tell it about others, such as whether a serial exists.
actor CallBudgets {
  static let limit = 10_000

  private let loop: EventLoop
  private let time: PlatformTime
  private let full: MessageBudget
  private var budgets: [String: MessageBudget] = [:]

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(burst: Int, perSecond: Double, time: PlatformTime, loop: EventLoop) {
    full = MessageBudget(burst: burst, perSecond: perSecond)
    self.time = time
    self.loop = loop
  }

  /// - Throws: `OrielError` 110029 when it asks too often.
  func spend(_ name: String) throws {
    if budgets.count > Self.limit { budgets.removeAll() }
    guard budgets[name, default: full].spend(at: time.uptime()) else { throw OrielError(.tooFrequent) }
  }
}
