internal import CGStreamer
internal import CMediaShims

/// GStreamer as a whole.
enum Runtime {
  /// Sets GStreamer up once in the process; cheap afterwards.
  static func prepare() { _ = isReady }

  private static let isReady: Bool = {
    gst_init(nil, nil)
    // Worker threads of GLib that wait for work would look like leaks.
    g_thread_pool_set_max_unused_threads(1)
    oriel_calm_pool()
    return true
  }()

  static func hasElement(_ name: String) -> Bool {
    prepare()
    guard let factory = gst_element_factory_find(name) else { return false }
    oriel_unref(UnsafeMutableRawPointer(factory))
    return true
  }

  /// The system's monotonic clock, which every pipeline here runs on, in nanoseconds.
  static var now: UInt64 { UInt64(g_get_monotonic_time()) * 1000 }
}
