/// What a player tells. Every method is optional; calls come on the main queue, and none after a stop.
///
/// A program may write the parameters as Swift imports the manual's headers (`EZPlayer!`, `Error!`) or without the
/// marks; the protocol has each form as a requirement of its own, so that either is called. The library calls every
/// form; the one that a program has not written does nothing.
public protocol EZPlayerDelegate: AnyObject {
  /// The view failed; the error's code says why (`EZErrorCode`).
  func player(_ player: EZPlayer!, didPlayFailed error: (any Error)!)
  func player(_ player: EZPlayer!, didPlayFailed error: any Error)
  func player(_ player: EZPlayer, didPlayFailed error: (any Error)!)
  func player(_ player: EZPlayer, didPlayFailed error: any Error)

  /// Something happened to the view: an `EZMessageCode`.
  func player(_ player: EZPlayer!, didReceivedMessage messageCode: Int)
  func player(_ player: EZPlayer, didReceivedMessage messageCode: Int)

  /// The same, under the name that the manual uses.
  func player(_ player: EZPlayer!, didReceivedMessageCode messageCode: Int)
  func player(_ player: EZPlayer, didReceivedMessageCode messageCode: Int)

  /// Bytes received in the last second. `getStreamFlow` has the sum.
  func player(_ player: EZPlayer!, didReceivedDataLength dataLength: Int)
  func player(_ player: EZPlayer, didReceivedDataLength dataLength: Int)

  /// The picture's size, in pixels.
  func player(_ player: EZPlayer!, didReceivedDisplayHeight height: Int, displayWidth width: Int)
  func player(_ player: EZPlayer, didReceivedDisplayHeight height: Int, displayWidth width: Int)

  /// There is no sound (750003 without a loudspeaker); the picture goes on. Oriel's own addition.
  func player(_ player: EZPlayer!, didSoundFailed error: (any Error)!)
}

extension EZPlayerDelegate {
  public func player(_ player: EZPlayer!, didPlayFailed error: (any Error)!) {}
  public func player(_ player: EZPlayer!, didPlayFailed error: any Error) {}
  public func player(_ player: EZPlayer, didPlayFailed error: (any Error)!) {}
  public func player(_ player: EZPlayer, didPlayFailed error: any Error) {}
  public func player(_ player: EZPlayer!, didReceivedMessage messageCode: Int) {}
  public func player(_ player: EZPlayer, didReceivedMessage messageCode: Int) {}
  public func player(_ player: EZPlayer!, didReceivedMessageCode messageCode: Int) {}
  public func player(_ player: EZPlayer, didReceivedMessageCode messageCode: Int) {}
  public func player(_ player: EZPlayer!, didReceivedDataLength dataLength: Int) {}
  public func player(_ player: EZPlayer, didReceivedDataLength dataLength: Int) {}
  public func player(_ player: EZPlayer!, didReceivedDisplayHeight height: Int, displayWidth width: Int) {}
  public func player(_ player: EZPlayer, didReceivedDisplayHeight height: Int, displayWidth width: Int) {}
  public func player(_ player: EZPlayer!, didSoundFailed error: (any Error)!) {}
}

/// Calls a delegate in every form that a program may have written.
struct EZDelegateCalls {
  let delegate: any EZPlayerDelegate
  let player: EZPlayer

  private var optionalPlayer: EZPlayer? { player }

  func failed(_ error: any Error) {
    let optionalError: (any Error)? = error
    delegate.player(optionalPlayer, didPlayFailed: optionalError)
    delegate.player(optionalPlayer, didPlayFailed: error)
    delegate.player(player, didPlayFailed: optionalError)
    delegate.player(player, didPlayFailed: error)
  }

  func message(_ code: EZMessageCode) {
    delegate.player(optionalPlayer, didReceivedMessage: code.rawValue)
    delegate.player(player, didReceivedMessage: code.rawValue)
    delegate.player(optionalPlayer, didReceivedMessageCode: code.rawValue)
    delegate.player(player, didReceivedMessageCode: code.rawValue)
  }

  func dataLength(_ length: Int) {
    delegate.player(optionalPlayer, didReceivedDataLength: length)
    delegate.player(player, didReceivedDataLength: length)
  }

  func size(width: Int, height: Int) {
    delegate.player(optionalPlayer, didReceivedDisplayHeight: height, displayWidth: width)
    delegate.player(player, didReceivedDisplayHeight: height, displayWidth: width)
  }

  func soundFailed(_ error: any Error) {
    let optionalError: (any Error)? = error
    delegate.player(optionalPlayer, didSoundFailed: optionalError)
  }
}
