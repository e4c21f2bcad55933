/// Everything that can go wrong with media, as a closed list; Kit and Camera give each case its number.
///
/// No case carries an address or a password: a failure may be logged as it is.
public enum MediaFailure: Error, Sendable, Equatable {
  /// GStreamer elements that are not installed, by name.
  case missingElements([String])
  /// The text is no address that a source can have.
  case invalidLocation
  /// Nobody answers at the address.
  case unreachable
  /// The camera wants another user or password (RTSP 401, 403), or the file may not be read.
  case refused
  /// The camera has no such stream (RTSP 404), or there is no such file or device.
  case notFound
  /// The camera stopped sending.
  case stalled
  /// What came is not media: rubbish, a broken file, a broken description. The text says what was found.
  case malformed(String)
  /// The source is sound, but of a kind that is not handled; the text says which.
  case unsupported(String)
  /// The source has no picture.
  case noVideo
  /// There is no screen to open a window on.
  case noDisplay
  /// There is no loudspeaker, or it cannot be opened.
  case noAudioDevice
  /// There is no microphone, or it may not be used.
  case noMicrophone
  /// The recording ended before its first whole picture; no file was kept.
  case nothingRecorded
  /// The disk is full, or the file grew over its limit; what was written until then is kept and plays.
  case storageFull(kept: ClipSummary?)
  /// The file cannot be made or written.
  case notWritable
  /// The codec changed on the way; a clip holds one codec only.
  case codecChanged
  /// The object was used after its end.
  case closed
  /// GStreamer failed in a way that has no case of its own; the text is its message, without addresses.
  case pipeline(String)
}

extension MediaFailure {
  /// Whether trying again without a change by a person cannot help.
  public var isFinal: Bool {
    switch self {
    case .missingElements, .invalidLocation, .noDisplay, .notWritable, .closed: true
    default: false
    }
  }
}
