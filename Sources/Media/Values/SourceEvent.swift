/// How a stream comes to be what viewers receive.
public enum StreamDelivery: String, Sendable, Codable {
  /// The source's own access units, untouched.
  case passedOn
  /// Decoded and encoded here, once for all viewers.
  case encoded
}

/// What a stream of a source is.
public struct SourceDescription: Sendable, Equatable {
  public var stream: MediaStream
  /// The codec that comes out.
  public var codec: VideoCodec
  /// Size that comes out, in pixels.
  public var width: Int
  public var height: Int
  /// Pictures per second; 0 while unknown.
  public var frameRate: Double
  public var delivery: StreamDelivery
  /// Why it is encoded, in plain words ("the source uses B-pictures"); nil when it is passed on.
  public var reason: String?
  /// profile_idc, constraint flags and level_idc as six hexadecimal digits ("42e01f"); nil for H.265.
  public var profileLevel: String?
  /// Whether the source gives sound; what is announced and has not come yet does not count.
  public var hasAudio: Bool

  public init(
    stream: MediaStream, codec: VideoCodec, width: Int, height: Int, frameRate: Double,
    delivery: StreamDelivery, reason: String? = nil, profileLevel: String? = nil, hasAudio: Bool = false
  ) {
    self.stream = stream
    self.codec = codec
    self.width = width
    self.height = height
    self.frameRate = frameRate
    self.delivery = delivery
    self.reason = reason
    self.profileLevel = profileLevel
    self.hasAudio = hasAudio
  }

  /// In plain words: "H264 1920x1080 25/s".
  public var summary: String {
    let rate = frameRate > 0 ? " \(Int(frameRate.rounded()))/s" : ""
    return "\(codec.rawValue.uppercased()) \(width)x\(height)\(rate)"
  }
}

/// A source that gives no picture, and what happens next.
public struct SourceFailure: Error, Sendable, Equatable {
  /// The stream that failed; a camera's own sub stream fails by itself.
  public var stream: MediaStream
  public var reason: MediaFailure
  /// How long until the next attempt; nil when there will be none.
  public var retryAfter: Duration?

  public init(stream: MediaStream = .main, reason: MediaFailure, retryAfter: Duration? = nil) {
    self.stream = stream
    self.reason = reason
    self.retryAfter = retryAfter
  }
}

/// What comes out of a source.
public enum SourceEvent: Sendable {
  case video(MediaStream, AccessUnit)
  /// Opus, whatever the source's own form.
  case audio(AudioPacket)
  /// The same sound as it came, when it came as AAC and ``SourceOptions/keepsOwnAudio`` asks for it.
  case ownAudio(AudioPacket)
  /// Comes before the first access unit of a stream, and again whenever something in it changes.
  case described(SourceDescription)
  /// No picture for now. The source tries again by itself unless `retryAfter` is nil.
  case failed(SourceFailure)
  /// Pictures come again after a failure.
  case recovered
}
