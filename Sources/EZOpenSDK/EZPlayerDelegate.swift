/// What a player tells. Every method is optional; calls come on the main queue, and none after a stop.
///
/// A method that differs from a requirement by one `!` compiles beside it and is never called. So each of the three
/// spellings that a program may use is a protocol of its own, and the library calls all three; those that the program
/// has not written do nothing. One spelling in a method: both parameters with the same mark.
public protocol EZPlayerDelegate: EZPlayerDelegateHeaderForm, EZPlayerDelegateOptionalForm,
  EZPlayerDelegatePlainForm
{}

/// The methods as Swift imports the manual's headers, which say nothing of optionality.
public protocol EZPlayerDelegateHeaderForm: AnyObject {
  /// The view failed; the error's code says why (`EZErrorCode`).
  func player(_ player: EZPlayer!, didPlayFailed error: (any Error)!)
  /// Something happened to the view: an `EZMessageCode`.
  func player(_ player: EZPlayer!, didReceivedMessage messageCode: Int)
  /// The same, under the name that the manual uses.
  func player(_ player: EZPlayer!, didReceivedMessageCode messageCode: Int)
  /// Bytes received in the last second. `getStreamFlow` has the sum.
  func player(_ player: EZPlayer!, didReceivedDataLength dataLength: Int)
  /// The picture's size, in pixels.
  func player(_ player: EZPlayer!, didReceivedDisplayHeight height: Int, displayWidth width: Int)
  /// There is no sound (750003 without a loudspeaker); the picture goes on. Oriel's own addition.
  func player(_ player: EZPlayer!, didSoundFailed error: (any Error)!)
}

extension EZPlayerDelegateHeaderForm {
  public func player(_ player: EZPlayer!, didPlayFailed error: (any Error)!) {}
  public func player(_ player: EZPlayer!, didReceivedMessage messageCode: Int) {}
  public func player(_ player: EZPlayer!, didReceivedMessageCode messageCode: Int) {}
  public func player(_ player: EZPlayer!, didReceivedDataLength dataLength: Int) {}
  public func player(_ player: EZPlayer!, didReceivedDisplayHeight height: Int, displayWidth width: Int) {}
  public func player(_ player: EZPlayer!, didSoundFailed error: (any Error)!) {}
}

/// The methods with question marks.
public protocol EZPlayerDelegateOptionalForm: AnyObject {
  /// The view failed; the error's code says why (`EZErrorCode`).
  func player(_ player: EZPlayer?, didPlayFailed error: (any Error)?)
  /// Something happened to the view: an `EZMessageCode`.
  func player(_ player: EZPlayer?, didReceivedMessage messageCode: Int)
  /// The same, under the name that the manual uses.
  func player(_ player: EZPlayer?, didReceivedMessageCode messageCode: Int)
  /// Bytes received in the last second. `getStreamFlow` has the sum.
  func player(_ player: EZPlayer?, didReceivedDataLength dataLength: Int)
  /// The picture's size, in pixels.
  func player(_ player: EZPlayer?, didReceivedDisplayHeight height: Int, displayWidth width: Int)
  /// There is no sound (750003 without a loudspeaker); the picture goes on. Oriel's own addition.
  func player(_ player: EZPlayer?, didSoundFailed error: (any Error)?)
}

extension EZPlayerDelegateOptionalForm {
  public func player(_ player: EZPlayer?, didPlayFailed error: (any Error)?) {}
  public func player(_ player: EZPlayer?, didReceivedMessage messageCode: Int) {}
  public func player(_ player: EZPlayer?, didReceivedMessageCode messageCode: Int) {}
  public func player(_ player: EZPlayer?, didReceivedDataLength dataLength: Int) {}
  public func player(_ player: EZPlayer?, didReceivedDisplayHeight height: Int, displayWidth width: Int) {}
  public func player(_ player: EZPlayer?, didSoundFailed error: (any Error)?) {}
}

/// The methods without marks.
public protocol EZPlayerDelegatePlainForm: AnyObject {
  /// The view failed; the error's code says why (`EZErrorCode`).
  func player(_ player: EZPlayer, didPlayFailed error: any Error)
  /// Something happened to the view: an `EZMessageCode`.
  func player(_ player: EZPlayer, didReceivedMessage messageCode: Int)
  /// The same, under the name that the manual uses.
  func player(_ player: EZPlayer, didReceivedMessageCode messageCode: Int)
  /// Bytes received in the last second. `getStreamFlow` has the sum.
  func player(_ player: EZPlayer, didReceivedDataLength dataLength: Int)
  /// The picture's size, in pixels.
  func player(_ player: EZPlayer, didReceivedDisplayHeight height: Int, displayWidth width: Int)
  /// There is no sound (750003 without a loudspeaker); the picture goes on. Oriel's own addition.
  func player(_ player: EZPlayer, didSoundFailed error: any Error)
}

extension EZPlayerDelegatePlainForm {
  public func player(_ player: EZPlayer, didPlayFailed error: any Error) {}
  public func player(_ player: EZPlayer, didReceivedMessage messageCode: Int) {}
  public func player(_ player: EZPlayer, didReceivedMessageCode messageCode: Int) {}
  public func player(_ player: EZPlayer, didReceivedDataLength dataLength: Int) {}
  public func player(_ player: EZPlayer, didReceivedDisplayHeight height: Int, displayWidth width: Int) {}
  public func player(_ player: EZPlayer, didSoundFailed error: any Error) {}
}

/// Calls a delegate in every form that a program may have written.
struct EZDelegateCalls {
  private let header: any EZPlayerDelegateHeaderForm
  private let optional: any EZPlayerDelegateOptionalForm
  private let plain: any EZPlayerDelegatePlainForm
  private let player: EZPlayer

  init(delegate: any EZPlayerDelegate, player: EZPlayer) {
    header = delegate
    optional = delegate
    plain = delegate
    self.player = player
  }

  func failed(_ error: any Error) {
    header.player(player, didPlayFailed: error)
    optional.player(player, didPlayFailed: error)
    plain.player(player, didPlayFailed: error)
  }

  func message(_ code: EZMessageCode) {
    header.player(player, didReceivedMessage: code.rawValue)
    optional.player(player, didReceivedMessage: code.rawValue)
    plain.player(player, didReceivedMessage: code.rawValue)
    header.player(player, didReceivedMessageCode: code.rawValue)
    optional.player(player, didReceivedMessageCode: code.rawValue)
    plain.player(player, didReceivedMessageCode: code.rawValue)
  }

  func dataLength(_ length: Int) {
    header.player(player, didReceivedDataLength: length)
    optional.player(player, didReceivedDataLength: length)
    plain.player(player, didReceivedDataLength: length)
  }

  func size(width: Int, height: Int) {
    header.player(player, didReceivedDisplayHeight: height, displayWidth: width)
    optional.player(player, didReceivedDisplayHeight: height, displayWidth: width)
    plain.player(player, didReceivedDisplayHeight: height, displayWidth: width)
  }

  func soundFailed(_ error: any Error) {
    header.player(player, didSoundFailed: error)
    optional.player(player, didSoundFailed: error)
    plain.player(player, didSoundFailed: error)
  }
}
