internal import CGStreamer
internal import CMediaShims

/// A buffer with its format, as it came out of a pipeline. Read-only, therefore safe to pass between threads.
final class MediaSample: @unchecked Sendable {  // A GstSample is reference-counted and immutable here.
  let pointer: OpaquePointer

  /// Takes a reference of its own.
  init(borrowing sample: OpaquePointer) { pointer = oriel_sample_ref(sample) }

  deinit { oriel_sample_unref(pointer) }

  var buffer: UnsafeMutablePointer<GstBuffer>? { gst_sample_get_buffer(pointer) }

  /// Running time in nanoseconds; nil when the buffer has no time.
  var runningTime: UInt64? {
    let time = oriel_sample_running_time(pointer)
    return time == oriel_time_none() ? nil : UInt64(time)
  }

  var presentationTime: UInt64? {
    guard let buffer, buffer.pointee.pts != oriel_time_none() else { return nil }
    return UInt64(buffer.pointee.pts)
  }

  /// A copy of the buffer's bytes.
  var bytes: [UInt8] {
    guard let buffer else { return [] }
    let size = Int(gst_buffer_get_size(buffer))
    return [UInt8](unsafeUninitializedCapacity: size) { memory, count in
      count = Int(gst_buffer_extract(buffer, 0, memory.baseAddress, gsize(size)))
    }
  }

  /// What a decoder must know first, as the caps have it.
  var codecData: [UInt8]? {
    guard let caps = gst_sample_get_caps(pointer), let structure = gst_caps_get_structure(caps, 0),
      let value = gst_structure_get_value(structure, "codec_data"), let boxed = g_value_get_boxed(value)
    else { return nil }
    let buffer = boxed.assumingMemoryBound(to: GstBuffer.self)
    let size = min(Int(gst_buffer_get_size(buffer)), 65_536)
    return [UInt8](unsafeUninitializedCapacity: size) { memory, count in
      count = Int(gst_buffer_extract(buffer, 0, memory.baseAddress, gsize(size)))
    }
  }

  /// Size and rate of a raw picture.
  var pictureFormat: PictureFormat? {
    guard let caps = gst_sample_get_caps(pointer) else { return nil }
    var info = GstVideoInfo()
    guard gst_video_info_from_caps(&info, caps) != 0, info.width > 0, info.height > 0 else { return nil }
    return PictureFormat(
      width: Int(info.width), height: Int(info.height),
      rate: info.fps_d > 0 && info.fps_n > 0 ? Double(info.fps_n) / Double(info.fps_d) : 0)
  }
}

/// Size and rate of raw pictures.
struct PictureFormat: Equatable, Sendable {
  var width: Int
  var height: Int
  /// 0 while unknown.
  var rate: Double

  /// The largest even size that fits into the limit and keeps the shape; never larger than the picture.
  func fitted(into limit: (width: Int, height: Int)) -> (width: Int, height: Int) {
    let scale = min(1, Double(limit.width) / Double(width), Double(limit.height) / Double(height))
    let even = { (value: Int) in max(16, Int((Double(value) * scale / 2).rounded()) * 2) }
    return (even(width), even(height))
  }
}
