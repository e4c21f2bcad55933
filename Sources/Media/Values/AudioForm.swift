/// How sound is encoded. Viewers take Opus alone; a recording may hold what the camera itself made.
public enum AudioForm: Sendable, Codable, Equatable {
  /// RFC 6716: 48 kHz.
  case opus
  /// ISO/IEC 14496-3, one raw frame a packet.
  case aac(AACConfiguration)

  /// Ticks a second that a file counts its time in.
  public var clockRate: Int {
    switch self {
    case .opus: 48_000
    case .aac(let configuration): configuration.sampleRate
    }
  }

  /// How long a packet lasts when nothing else is said.
  public var packetDuration: Duration {
    switch self {
    case .opus: .milliseconds(20)
    case .aac(let configuration):
      .nanoseconds(Int64(configuration.frameSamples) * 1_000_000_000 / Int64(configuration.sampleRate))
    }
  }
}

/// What an AAC decoder must know first: an AudioSpecificConfig (ISO/IEC 14496-3 section 1.6.2.1).
public struct AACConfiguration: Sendable, Codable, Equatable {
  /// As the source gave it, 2...``sizeLimit`` bytes.
  public let bytes: [UInt8]
  /// Of the core, 7,350...96,000 Hz.
  public let sampleRate: Int
  /// 1...8.
  public let channels: Int
  /// Samples of a frame, at ``sampleRate``.
  public let frameSamples: Int

  public static let sizeLimit = 64

  /// nil when it describes no sound that players take: another object type than AAC, or channels laid out by hand.
  public init?(_ bytes: [UInt8]) {
    guard (2...Self.sizeLimit).contains(bytes.count) else { return nil }
    var bits = BitReader(plain: bytes)
    guard let type = bits.bits(5), let index = bits.bits(4) else { return nil }
    // AAC main, LC, SSR, LTP, and LC announced with SBR or PS on top.
    guard [1, 2, 3, 4, 5, 29].contains(type) else { return nil }
    guard let rate = index == 15 ? bits.bits(24).map(Int.init) : Self.rate(Int(index)),
      (7_350...96_000).contains(rate), let layout = bits.bits(4), (1...7).contains(layout)
    else { return nil }
    var isShort: UInt32 = 0
    if type < 5 {
      guard let flag = bits.bits(1) else { return nil }
      isShort = flag
    }
    self.bytes = bytes
    sampleRate = rate
    channels = layout == 7 ? 8 : Int(layout)
    frameSamples = isShort == 1 ? 960 : 1024
  }

  /// "mp4a.40.2" (RFC 6381 section 3.3).
  public var codecName: String { "mp4a.40.\(bytes[0] >> 3)" }

  private static func rate(_ index: Int) -> Int? {
    let rates = [
      96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]
    return rates.indices.contains(index) ? rates[index] : nil
  }
}
