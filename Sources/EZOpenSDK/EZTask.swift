public import Foundation
import OrielKit
import OrielModel

/// A call that is under way; on Apple's systems this is a data task of the URL loading system.
public final class EZTask: NSObject, Sendable {
  private let work: Task<Void, Never>

  /// Runs `body`; the outcome goes to `completion` on the main queue, once.
  init<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value,
    completion: @escaping (Value?, (any Error)?) -> Void
  ) {
    let completion = MainQueueClosure(completion)
    work = Task.detached {
      let result: Result<Value, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      DispatchQueue.main.async {
        switch result {
        case .success(let value): completion.call(value, nil)
        case .failure(let error):
          let error = NSError.numbered(error)
          EZLibrary.noteTokenRefused(error)
          completion.call(nil, error)
        }
      }
    }
    super.init()
  }

  /// Ends the call; its completion comes with 760001 unless it was over.
  public func cancel() { work.cancel() }
}

/// A completion block. `@unchecked`: the Objective-C signature knows no `Sendable`; as there, the block is made on
/// any thread and called on the main queue only.
struct MainQueueClosure<Value>: @unchecked Sendable {
  private let closure: (Value?, (any Error)?) -> Void

  init(_ closure: @escaping (Value?, (any Error)?) -> Void) { self.closure = closure }

  func call(_ value: Value?, _ error: (any Error)?) { closure(value, error) }
}
