public import OrielMedia
public import OrielModel

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

/// This side of a conversation: a microphone, whose echo of the loudspeaker is taken out, and the loudspeaker.
public protocol VoiceEndpoint: Sendable {
  /// Takes the next Opus packet and returns at once.
  /// - Parameter timestamp: of RTP, 48 kHz.
  func play(_ packet: [UInt8], timestamp: UInt32)
  /// Whether what the microphone hears is given out; off at first.
  func setSpeaking(_ isOn: Bool)
  /// Whether what comes is heard; on at first.
  func setPlaying(_ isOn: Bool)
  /// Gives the devices back; blocks. Nothing is called afterwards.
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
  public typealias VoiceOpener =
    @Sendable (
      VoiceInput, _ onPacket: @escaping @Sendable (AudioPacket) -> Void,
      _ onEnd: @escaping @Sendable (OrielError?) -> Void
    ) throws -> any VoiceEndpoint

  /// Makes a decoder. Throws `OrielError` 750002 when the system has none.
  public var decoder: @Sendable (VideoCodec) throws -> any PictureDecoder
  /// Makes a decoder that takes many access units at once and passes none over, for playback; nil: as `decoder`.
  public var playbackDecoder: (@Sendable (VideoCodec) throws -> any PictureDecoder)?
  /// Opens the loudspeaker. Throws `OrielError` 750003 when there is none.
  public var sound: @Sendable () throws -> any SoundOutput
  /// Opens microphone and loudspeaker for a talk; blocks. The first closure gets Opus packets of 20 ms, the second is told
  /// once when the input ends: nil, a file was played to its end. Throws `OrielError` 750004 without a microphone, 750003
  /// without a loudspeaker.
  public var voice: VoiceOpener
  /// Opens a window with this title. Throws `OrielError` 750001 when there is no screen.
  public var window: @Sendable (String) throws -> any FrameSurface

  public init(
    decoder: @escaping @Sendable (VideoCodec) throws -> any PictureDecoder,
    sound: @escaping @Sendable () throws -> any SoundOutput,
    window: @escaping @Sendable (String) throws -> any FrameSurface,
    playbackDecoder: (@Sendable (VideoCodec) throws -> any PictureDecoder)? = nil,
    voice: @escaping VoiceOpener = { _, _, _ in throw OrielError(.microphoneUnavailable) }
  ) {
    self.playbackDecoder = playbackDecoder
    self.decoder = decoder
    self.sound = sound
    self.window = window
    self.voice = voice
  }
}
