/// A Swift closure that C holds on to: handed over retained, released by C's destroy notify.
final class Callback<Function: Sendable>: Sendable {
  let function: Function

  init(_ function: Function) { self.function = function }

  func retained() -> UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

  static func borrow(_ pointer: UnsafeMutableRawPointer?) -> Function? {
    pointer.map { Unmanaged<Callback<Function>>.fromOpaque($0).takeUnretainedValue().function }
  }
}

/// The destroy notify of every callback.
func releaseCallback(_ pointer: UnsafeMutableRawPointer?) {
  if let pointer { Unmanaged<AnyObject>.fromOpaque(pointer).release() }
}
