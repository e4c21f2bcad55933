/// A frame as a JPEG picture.
public enum JPEGImage {
  /// - Parameter quality: 1...100.
  /// - Throws: ``MediaFailure``.
  public static func encode(_ frame: VideoFrame, quality: Int = 85) throws -> [UInt8] { [] }
}
