internal import CGStreamer
internal import CMediaShims
internal import Synchronization

/// What a pipeline reports on its bus.
enum PipelineMessage: Sendable {
  /// `code` is a GstResourceError or GstStreamError, as `domain` says.
  case error(PipelineError)
  case endOfStream
}

struct PipelineError: Sendable {
  enum Domain: Sendable { case resource, stream, other }
  var domain: Domain
  var code: Int
  /// GStreamer's words; they may hold an address, so they go into no log.
  var text: String
  var detail: String
  /// Factory of the element that failed.
  var element: String
}

/// A GStreamer pipeline with its bus reader. Owns its threads and descriptors until ``stop()``.
// GStreamer locks its objects itself; the pointers never change.
final class Pipeline: @unchecked Sendable {
  private let pipeline: UnsafeMutablePointer<GstElement>
  private let watch: Mutex<UInt?>
  private let isStopped = Atomic(false)

  /// - Parameter onMessage: called on the bus thread; never after ``stop()`` has begun.
  init(_ description: String, onMessage: @escaping @Sendable (PipelineMessage) -> Void = { _ in }) throws {
    Runtime.prepare()
    var missing: Int32 = 0
    var message: UnsafeMutablePointer<CChar>?
    guard let made = oriel_pipeline_parse(description, &missing, &message) else {
      let text = message.map { String(cString: $0) } ?? "no pipeline"
      g_free(message)
      // GStreamer's sentence is: no element "x264enc"
      let quoted = text.split(separator: "\"")
      if missing != 0 { throw MediaFailure.missingElements([quoted.count > 1 ? String(quoted[1]) : text]) }
      throw MediaFailure.pipeline(text)
    }
    pipeline = made
    watch = Mutex(nil)
    oriel_pipeline_use_system_clock(made)
    let handle = Self.watchBus(of: made, onMessage)
    watch.withLock { $0 = handle }
  }

  deinit {
    halt()
    gst_object_unref(pipeline)
  }

  /// Starts; an error that shows later comes on the bus.
  func start() throws {
    guard gst_element_set_state(pipeline, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE else {
      throw MediaFailure.pipeline("does not start")
    }
  }

  /// Starts as above, with threads that go before others: sound works little, but on time. Where the system does not
  /// allow it they are as all others.
  func startInHaste() throws {
    oriel_pipeline_hurry(pipeline)
    // Threads of the sound server's library come to be now, and take after this one.
    oriel_thread_hurry(1)
    defer { oriel_thread_calm() }
    try start()
  }

  /// Opens devices without starting; false when one does not open.
  func open() -> Bool {
    gst_element_set_state(pipeline, GST_STATE_READY) != GST_STATE_CHANGE_FAILURE
  }

  /// The first of the pipelines whose device opens, started; nil when none does.
  static func firstThatOpens(
    _ descriptions: [String], onMessage: @escaping @Sendable (PipelineMessage) -> Void
  ) -> Pipeline? {
    for description in descriptions {
      // What a device that does not open reports is of no interest: the next one is tried.
      let isChosen = Flag()
      guard
        let pipeline = try? Pipeline(
          description, onMessage: { message in if isChosen.isRaised { onMessage(message) } })
      else { continue }
      guard pipeline.open() else {
        pipeline.stop()
        continue
      }
      isChosen.raise()
      do {
        try pipeline.start()
        return pipeline
      } catch {
        pipeline.stop()
      }
    }
    return nil
  }

  /// Gives back every thread and descriptor. Blocks; never call it from one of the pipeline's own threads.
  func stop() { halt() }

  private func halt() {
    guard !isStopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
    let handle = watch.withLock { watch in
      defer { watch = nil }
      return watch
    }
    if let handle, let source = UnsafeMutableRawPointer(bitPattern: handle) { oriel_bus_unwatch(source) }
    // After a failure a bin may pass for READY while its source runs: going to NULL at once would close the sink under
    // the thread that feeds it (pulsesink aborts then).
    if pipeline.pointee.current_state.rawValue >= GST_STATE_READY.rawValue {
      gst_element_set_state(pipeline, GST_STATE_READY)
    }
    gst_element_set_state(pipeline, GST_STATE_NULL)
  }

  /// The time at which running time was 0, on ``Runtime/now``'s scale.
  var baseTime: UInt64 { UInt64(gst_element_get_base_time(pipeline)) }

  func element(_ name: String) -> PipelineElement? {
    oriel_bin_child(pipeline, name).map { PipelineElement(owning: $0) }
  }

  /// Adds a part, takes its state along and returns whether that worked.
  func add(_ part: UnsafeMutablePointer<GstElement>) -> Bool {
    oriel_bin_add(pipeline, part) != 0 && gst_element_sync_state_with_parent(part) != 0
  }

  /// Calls `handler` with each sample of the named appsink, on its streaming thread.
  func onSample(_ name: String, _ handler: @escaping @Sendable (MediaSample) -> Void) {
    element(name)?.onSample(handler)
  }

  private static func watchBus(
    of pipeline: UnsafeMutablePointer<GstElement>, _ onMessage: @escaping @Sendable (PipelineMessage) -> Void
  ) -> UInt? {
    let callback = Callback(onMessage)
    let source = oriel_bus_watch(
      pipeline,
      { context, message in
        guard let message, let read = PipelineMessage(message) else { return }
        Callback<@Sendable (PipelineMessage) -> Void>.borrow(context)?(read)
      }, callback.retained(), releaseCallback)
    return source.map { UInt(bitPattern: $0) }
  }
}

extension PipelineMessage {
  init?(_ message: UnsafeMutablePointer<GstMessage>) {
    switch message.pointee.type {
    case GST_MESSAGE_EOS: self = .endOfStream
    case GST_MESSAGE_ERROR:
      var error: UnsafeMutablePointer<GError>?
      var debug: UnsafeMutablePointer<CChar>?
      gst_message_parse_error(message, &error, &debug)
      defer {
        g_error_free(error)
        g_free(debug)
      }
      guard let error else { return nil }
      let domain: PipelineError.Domain =
        switch error.pointee.domain {
        case gst_resource_error_quark(): .resource
        case gst_stream_error_quark(): .stream
        default: .other
        }
      self = .error(
        PipelineError(
          domain: domain, code: Int(error.pointee.code), text: String(cString: error.pointee.message),
          detail: debug.map { String(cString: $0) } ?? "", element: Self.factory(of: message)))
    default: return nil
    }
  }

  private static func factory(of message: UnsafeMutablePointer<GstMessage>) -> String {
    guard let source = message.pointee.src, let name = gst_object_get_name(source) else { return "" }
    defer { g_free(name) }
    return String(cString: name)
  }
}
