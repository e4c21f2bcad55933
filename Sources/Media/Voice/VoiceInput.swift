/// Where a voice comes from.
public enum VoiceInput: Sendable, Equatable {
  /// Nowhere: this end only listens.
  case none
  /// A microphone by its name (``SoundDeviceName``); nil is the default one.
  case microphone(device: String?)
  /// A sound file, played once in real time.
  case file(path: String)
}

/// What a ``VoiceTerminal`` is made of.
public struct VoiceTerminalOptions: Sendable {
  public var input: VoiceInput
  /// Whether there is a loudspeaker.
  public var playsSound: Bool
  /// The loudspeaker's name; nil is the default one.
  public var outputDevice: String?
  /// Address of the PulseAudio server; nil is the usual one (`PULSE_SERVER`, or the user's own).
  public var soundServer: String?
  /// Whether the loudspeaker's echo is taken out of what the microphone hears.
  public var echo: Bool
  /// Whether noise is taken out.
  public var noise: Bool
  /// Whether loudness is evened.
  public var gain: Bool
  /// Whether the voice is given out from the beginning, or only after ``VoiceTerminal/setSpeaking(_:)``.
  public var startsSpeaking: Bool
  /// Bits a second, 6,000...128,000.
  public var bitrate: Int
  /// Percent of packets that the way is expected to lose, 0...100.
  public var expectedLoss: Int
  /// For tests: a loudspeaker whose clock is off.
  var loudspeakerRate = VoiceForm.rate

  public init(
    input: VoiceInput = .microphone(device: nil), playsSound: Bool = true, outputDevice: String? = nil,
    soundServer: String? = nil, echo: Bool = true, noise: Bool = true, gain: Bool = true,
    startsSpeaking: Bool = true, bitrate: Int = 32_000, expectedLoss: Int = 10
  ) {
    self.input = input
    self.playsSound = playsSound
    self.outputDevice = outputDevice
    self.soundServer = soundServer
    self.echo = echo
    self.noise = noise
    self.gain = gain
    self.startsSpeaking = startsSpeaking
    self.bitrate = bitrate
    self.expectedLoss = expectedLoss
  }
}

/// What a ``VoiceTerminal`` did so far.
public struct VoiceTerminalStatistics: Sendable, Equatable {
  /// Packets given out.
  public var sent = 0
  /// Packets taken for the loudspeaker.
  public var received = 0
  public var playout = PlayoutStatistics()
  /// What the jitter buffer holds back now; nil while nothing is being said.
  public var playoutDelay: Duration?
  /// What it wants to hold back.
  public var playoutTarget = Duration.zero
  /// Of the sender's clock against the loudspeaker's, in ppm.
  public var drift = 0.0
  /// From the jitter buffer to the ear, as the loudspeaker tells; zero without one.
  public var loudspeakerLatency = Duration.zero

  public init() {}
}
