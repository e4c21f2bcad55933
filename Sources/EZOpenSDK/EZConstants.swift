// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The names are those of the first manual and its headers.
public import Foundation

/// The domain of every error of this library; the code is an `EZErrorCode` or one of Oriel's own (7xxxxx).
public let EZErrorDomain = "EZOpenSDKErrorDomain"
/// In an error's `userInfo`: what to do about it, a sentence.
public let EZErrorSolutionKey = "EZErrorSolutionKey"
/// In an error's `userInfo`: the number of the part that failed, as text.
public let EZErrorModuleCodeKey = "EZErrorModuleCodeKey"

extension Notification.Name {
  /// The user must sign in again: the token was refused (110002, 110003).
  public static let EZNeedRelogin = Notification.Name("EZNeedReloginNotification")
}

/// The definition of a camera's picture.
public enum EZVideoLevelType: Int, Sendable {
  /// Fluent.
  case low = 0
  /// Balanced.
  case middle = 1
  /// HD.
  case high = 2
  case superHigh = 3
}

/// What a player reports (`player(_:didReceivedMessage:)`).
public enum EZMessageCode: Int, Sendable {
  case PLAYER_REALPLAY_START = 1
  case PLAYER_VIDEOLEVEL_CHANGE = 2
  case PLAYER_STREAM_RECONNECT = 3
  case PLAYER_VOICE_TALK_START = 4
  case PLAYER_VOICE_TALK_END = 5
  case PLAYER_STREAM_START = 10
  case PLAYER_PLAYBACK_START = 11
  case PLAYER_PLAYBACK_STOP = 12
  case PLAYER_PLAYBACK_FINISHED = 13
  case PLAYER_PLAYBACK_PAUSE = 14
  case PLAYER_NET_CHANGED = 21
  case PLAYER_NO_NETWORK = 22
  case PLAYER_CLOUD_IFRAME_CHANGED = 23
  case PLAYER_PLAYSPEED_LOWER = 24
}

/// The live view shows its first picture, or shows pictures again after a reconnection.
public let PLAYER_REALPLAY_START = EZMessageCode.PLAYER_REALPLAY_START.rawValue
/// The definition changed.
public let PLAYER_VIDEOLEVEL_CHANGE = EZMessageCode.PLAYER_VIDEOLEVEL_CHANGE.rawValue
/// The stream was lost and is being made again.
public let PLAYER_STREAM_RECONNECT = EZMessageCode.PLAYER_STREAM_RECONNECT.rawValue
/// A playback shows its first picture, or shows pictures again after a reconnection.
public let PLAYER_PLAYBACK_START = EZMessageCode.PLAYER_PLAYBACK_START.rawValue
/// A playback has shown everything.
public let PLAYER_PLAYBACK_STOP = EZMessageCode.PLAYER_PLAYBACK_STOP.rawValue
/// The program has stopped a playback.
public let PLAYER_PLAYBACK_FINISHED = EZMessageCode.PLAYER_PLAYBACK_FINISHED.rawValue
/// A playback holds its picture.
public let PLAYER_PLAYBACK_PAUSE = EZMessageCode.PLAYER_PLAYBACK_PAUSE.rawValue
/// A playback runs slower than was asked for.
public let PLAYER_PLAYSPEED_LOWER = EZMessageCode.PLAYER_PLAYSPEED_LOWER.rawValue
