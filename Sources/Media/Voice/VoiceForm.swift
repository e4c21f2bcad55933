/// The one form that voice has between a device and the coder: signed 16 bits, 48 kHz, one channel.
public enum VoiceForm {
  public static let rate = 48_000
  /// Samples of 10 ms, the step of voice processing.
  public static let frame = 480
  /// Samples of 20 ms, one Opus packet.
  public static let packet = 960
}
