internal import CGStreamer
internal import CMediaShims

/// An element of a pipeline.
final class PipelineElement: @unchecked Sendable {  // GStreamer's elements lock for themselves.
  let pointer: UnsafeMutablePointer<GstElement>

  init(owning pointer: UnsafeMutablePointer<GstElement>) { self.pointer = pointer }

  deinit { oriel_unref(pointer) }

  func set(_ property: String, _ value: String) {
    if oriel_has_property(pointer, property) != 0 { oriel_set_arg(pointer, property, value) }
  }

  /// For text that may hold anything, such as a password.
  func set(_ property: String, text: String) { oriel_set_string(pointer, property, text) }

  var baseTime: UInt64 { UInt64(gst_element_get_base_time(pointer)) }

  // appsink

  /// What an appsink calls on its streaming thread.
  struct Receiver: Sendable {
    var sample: @Sendable (MediaSample) -> Void
    var end: @Sendable () -> Void
  }

  func onSample(
    _ handler: @escaping @Sendable (MediaSample) -> Void, end: @escaping @Sendable () -> Void = {}
  ) {
    oriel_sink_on_sample(
      pointer,
      { context, sample in
        let receiver = Callback<Receiver>.borrow(context)
        if let sample { receiver?.sample(MediaSample(borrowing: sample)) } else { receiver?.end() }
      }, Callback(Receiver(sample: handler, end: end)).retained(), releaseCallback)
  }

  func pull(within nanoseconds: UInt64) -> MediaSample? {
    guard let sample = oriel_sink_pull(pointer, guint64(nanoseconds)) else { return nil }
    defer { oriel_sample_unref(sample) }
    return MediaSample(borrowing: sample)
  }

  func requestKeyFrame() { oriel_force_key_frame(pointer) }

  // appsrc

  /// Pushes a copy of the bytes without a time; waits where the element is told to. False when the pipeline takes no
  /// more.
  func push(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let buffer = gst_buffer_new_allocate(nil, gsize(bytes.count), nil) else { return false }
    if let base = bytes.baseAddress { gst_buffer_fill(buffer, 0, base, gsize(bytes.count)) }
    return oriel_source_push(pointer, buffer) == GST_FLOW_OK.rawValue
  }

  /// Pushes a copy of the bytes; false when the pipeline takes no more.
  @discardableResult
  func push(_ bytes: UnsafeRawBufferPointer, at nanoseconds: UInt64, lasting duration: UInt64? = nil) -> Bool
  {
    guard let buffer = gst_buffer_new_allocate(nil, gsize(bytes.count), nil) else { return false }
    if let base = bytes.baseAddress { gst_buffer_fill(buffer, 0, base, gsize(bytes.count)) }
    buffer.pointee.pts = GstClockTime(nanoseconds)
    if let duration { buffer.pointee.duration = GstClockTime(duration) }
    return oriel_source_push(pointer, buffer) == GST_FLOW_OK.rawValue
  }

  /// Pushes the sample's buffer with another time; its memory is shared.
  @discardableResult
  func push(_ sample: MediaSample, at nanoseconds: UInt64) -> Bool {
    guard let buffer = sample.buffer, let copy = oriel_buffer_stamped_copy(buffer, guint64(nanoseconds))
    else {
      return false
    }
    return oriel_source_push(pointer, copy) == GST_FLOW_OK.rawValue
  }

  func setCaps(_ caps: String) { oriel_source_set_caps(pointer, caps) }
  func setCaps(of sample: MediaSample) { oriel_source_set_caps_of(pointer, sample.pointer) }
  var queued: Int { Int(clamping: oriel_source_level(pointer)) }
  func endStream() { _ = oriel_source_end(pointer) }
  func setTitle(_ title: String) { oriel_set_title(pointer, title) }

  /// Lets `fill` make the next so many bytes whenever the pipeline has room, on its streaming thread.
  func feed(bytes: Int, _ fill: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void) {
    oriel_source_on_need(
      pointer, gsize(bytes),
      { context, bytes, size in
        Callback<@Sendable (UnsafeMutableRawBufferPointer) -> Void>.borrow(context)?(
          UnsafeMutableRawBufferPointer(start: bytes, count: Int(size)))
      }, Callback(fill).retained(), releaseCallback)
  }

  /// Nanoseconds of sound that an audio sink took and has not played yet; nil when it does not know. Asked on its
  /// streaming thread.
  var unplayed: Int64? {
    let time = oriel_sink_delay(pointer)
    return time < 0 ? nil : Int64(time)
  }

  // Pads that come later

  /// The handler runs on the signalling thread, as linking must.
  func onPadAdded(_ handler: @escaping @Sendable (AddedPad) -> Void) {
    oriel_on_pad_added(
      pointer,
      { context, pad in
        guard let pad else { return }
        Callback<@Sendable (AddedPad) -> Void>.borrow(context)?(AddedPad(pointer: pad))
      }, Callback(handler).retained(), releaseCallback)
  }

  /// Which of the streams of an rtspsrc to ask for.
  func onSelectStream(_ handler: @escaping @Sendable (StreamCaps) -> Bool) {
    oriel_on_select_stream(
      pointer,
      { context, _, caps in
        guard let caps else { return 0 }
        let wanted = Callback<@Sendable (StreamCaps) -> Bool>.borrow(context)?(StreamCaps(caps)) ?? false
        return wanted ? 1 : 0
      }, Callback(handler).retained(), releaseCallback)
  }
}

/// A pad that just came; valid within the handler only.
struct AddedPad: @unchecked Sendable {  // Used on the signalling thread only.
  let pointer: UnsafeMutablePointer<GstPad>

  var caps: StreamCaps? {
    guard let caps = gst_pad_get_current_caps(pointer) ?? gst_pad_query_caps(pointer, nil) else { return nil }
    defer { gst_caps_unref(caps) }
    return StreamCaps(caps)
  }

  /// Builds the part described, which ends in an appsink called `sink`, adds it to the pipeline and links it
  /// behind this pad.
  func attach(
    _ description: String, in pipeline: Pipeline, onSample: @escaping @Sendable (MediaSample) -> Void,
    onEnd: @escaping @Sendable () -> Void = {}
  ) -> Bool {
    guard let bin = oriel_bin_parse(description) else { return false }
    if let sink = oriel_bin_child(bin, "sink") {
      PipelineElement(owning: sink).onSample(onSample, end: onEnd)
    }
    guard pipeline.add(bin), let entry = gst_element_get_static_pad(bin, "sink") else { return false }
    defer { gst_object_unref(entry) }
    return gst_pad_link(pointer, entry) == GST_PAD_LINK_OK
  }
}

/// The first structure of a caps.
struct StreamCaps: Sendable {
  var mediaType = ""
  var media: String?
  var encoding: String?
  /// How the frames of AAC are wrapped: "raw", "adts", "loas".
  var streamFormat: String?
  /// 1, 2 or 4, for audio/mpeg and video/mpeg.
  var version = 0

  init(_ caps: UnsafeMutablePointer<GstCaps>) {
    guard gst_caps_get_size(caps) > 0, let structure = gst_caps_get_structure(caps, 0) else { return }
    if let name = gst_structure_get_name(structure) { mediaType = String(cString: name) }
    var number: Int32 = 0
    if gst_structure_get_int(structure, "mpegversion", &number) != 0 { version = Int(number) }
    media = gst_structure_get_string(structure, "media").map { String(cString: $0) }
    streamFormat = gst_structure_get_string(structure, "stream-format").map { String(cString: $0) }
    encoding = gst_structure_get_string(structure, "encoding-name").map { String(cString: $0).uppercased() }
  }
}
