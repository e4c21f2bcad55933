public import OrielMedia
import OrielModel

/// Decodes one stream of pictures. One of the three things that another system brings itself.
public protocol PictureDecoder: Sendable {
  /// Frames as they are ready. Ends after `close()`.
  var frames: AsyncStream<VideoFrame> { get }
  /// Takes the next access unit and returns at once.
  func decode(_ unit: AccessUnit)
  func close()
}

/// Plays sound on the system's loudspeaker.
public protocol SoundOutput: Sendable {
  /// Takes the next Opus packet and returns at once.
  func play(_ packet: AudioPacket)
  func close()
}

/// Shows frames: a window, a view, or what a program makes of them.
public protocol FrameSurface: AnyObject, Sendable {
  /// Takes a frame and returns at once.
  func show(_ frame: VideoFrame)
  func close()
}

/// What a player uses of the system it runs on.
public struct MediaOutputs: Sendable {
  /// Makes a decoder. Throws `OrielError` 750002 when the system has none.
  public var decoder: @Sendable (VideoCodec) throws -> any PictureDecoder
  /// Makes a decoder that takes many access units at once and passes none over, for playback; nil: as `decoder`.
  public var playbackDecoder: (@Sendable (VideoCodec) throws -> any PictureDecoder)?
  /// Opens the loudspeaker. Throws `OrielError` 750003 when there is none.
  public var sound: @Sendable () throws -> any SoundOutput
  /// Opens a window with this title. Throws `OrielError` 750001 when there is no screen.
  public var window: @Sendable (String) throws -> any FrameSurface

  public init(
    decoder: @escaping @Sendable (VideoCodec) throws -> any PictureDecoder,
    sound: @escaping @Sendable () throws -> any SoundOutput,
    window: @escaping @Sendable (String) throws -> any FrameSurface,
    playbackDecoder: (@Sendable (VideoCodec) throws -> any PictureDecoder)? = nil
  ) {
    self.playbackDecoder = playbackDecoder
    self.decoder = decoder
    self.sound = sound
    self.window = window
  }
}
