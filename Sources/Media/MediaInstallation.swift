/// What this machine lacks for media.
public enum MediaInstallation {
  /// Each element that Oriel uses, what it is for, and the Debian package that holds it.
  static let needed: [(element: String, purpose: String, package: String)] = [
    ("appsrc", "moving media", "gstreamer1.0-plugins-base"),
    ("videoconvert", "converting pictures", "gstreamer1.0-plugins-base"),
    ("videoscale", "the small stream", "gstreamer1.0-plugins-base"),
    ("videotestsrc", "the test picture", "gstreamer1.0-plugins-base"),
    ("clockoverlay", "the clock in the test picture", "gstreamer1.0-plugins-base"),
    ("audiotestsrc", "the test sound", "gstreamer1.0-plugins-base"),
    ("audioresample", "sound", "gstreamer1.0-plugins-base"),
    ("opusenc", "sound", "gstreamer1.0-plugins-base"),
    ("opusdec", "sound", "gstreamer1.0-plugins-base"),
    ("parsebin", "files", "gstreamer1.0-plugins-base"),
    ("rtspsrc", "RTSP cameras", "gstreamer1.0-plugins-good"),
    ("rtph264depay", "RTSP cameras", "gstreamer1.0-plugins-good"),
    ("rtpjitterbuffer", "RTSP cameras", "gstreamer1.0-plugins-good"),
    ("jpegenc", "still pictures", "gstreamer1.0-plugins-good"),
    ("v4l2src", "cameras on this machine", "gstreamer1.0-plugins-good"),
    ("qtdemux", "MP4 files", "gstreamer1.0-plugins-good"),
    ("pulsesink", "the loudspeaker", "gstreamer1.0-plugins-good"),
    ("deinterlace", "interlaced cameras", "gstreamer1.0-plugins-good"),
    ("h264parse", "H.264", "gstreamer1.0-plugins-bad"),
    ("h265parse", "H.265", "gstreamer1.0-plugins-bad"),
    ("x264enc", "encoding H.264", "gstreamer1.0-plugins-ugly"),
    ("avdec_h264", "decoding H.264", "gstreamer1.0-libav"),
    ("avdec_h265", "decoding H.265", "gstreamer1.0-libav"),
    ("avdec_aac", "AAC sound", "gstreamer1.0-libav"),
  ]

  /// Sentences in plain words, one for each thing that is missing; empty when all is there.
  public static func check() -> [String] {
    needed.filter { !Runtime.hasElement($0.element) }.map {
      "GStreamer's \($0.element) is missing, which is needed for \($0.purpose): install \($0.package)."
    }
  }
}
