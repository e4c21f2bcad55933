import Foundation
import OrielKit
import OrielModel

extension NSError {
  /// A failure as the first manual's library hands it over.
  convenience init(_ error: OrielError) {
    self.init(
      domain: EZErrorDomain, code: error.number,
      userInfo: [
        NSLocalizedDescriptionKey: error.detail.map { "\(error.code.entry.meaning): \($0)" }
          ?? error.code.entry.meaning,
        EZErrorSolutionKey: error.code.entry.remedy,
        EZErrorModuleCodeKey: String(error.number),
      ])
  }

  /// Any failure; what has no number of its own is 150000.
  static func numbered(_ error: any Error) -> NSError {
    switch error {
    case let error as OrielError: NSError(error)
    case is CancellationError: NSError(OrielError(.cancelled))
    default: NSError(OrielError(.serverError))
    }
  }
}
