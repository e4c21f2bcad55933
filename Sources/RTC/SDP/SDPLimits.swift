/// What a description may hold at most; more is refused as malformed, so that hostile text costs little.
enum SDPLimits {
  /// Bytes of a description.
  static let size = 65_536
  static let lines = 4096
  static let mediaSections = 32
  static let codecsPerSection = 128
  static let candidatesPerSection = 128
  static let extensionsPerSection = 64
  static let sourcesPerSection = 64
  static let fingerprints = 16
  static let parametersPerCodec = 32
  static let feedbackPerCodec = 32
  /// Bytes of a mid, a stream or track name, a canonical name.
  static let nameLength = 256
}
