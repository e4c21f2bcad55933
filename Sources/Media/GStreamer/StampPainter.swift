internal import CGStreamer
internal import CMediaShims

/// Paints stamps into raw I420 pictures.
enum StampPainter {
  /// Paints what `stamp` gives into each picture before it enters the element.
  static func paint(before element: PipelineElement, _ stamp: @escaping @Sendable () -> FrameStamp) {
    oriel_on_buffer(
      element.pointer,
      { context, buffer, caps in
        guard let buffer, let caps else { return }
        if let stamp = Callback<@Sendable () -> FrameStamp>.borrow(context)?() {
          StampPainter.paint(stamp, into: buffer, caps)
        }
      }, Callback(stamp).retained(), releaseCallback)
  }

  private static func paint(
    _ stamp: FrameStamp, into buffer: UnsafeMutablePointer<GstBuffer>, _ caps: UnsafeMutablePointer<GstCaps>
  ) {
    var info = GstVideoInfo()
    guard gst_video_info_from_caps(&info, caps) != 0 else { return }
    var frame = GstVideoFrame()
    guard gst_video_frame_map(&frame, &info, buffer, GST_MAP_WRITE) != 0 else { return }
    defer { gst_video_frame_unmap(&frame) }
    let width = Int(info.width)
    let height = Int(info.height)
    guard let luma = frame.data.0, let blue = frame.data.1, let red = frame.data.2 else { return }
    let lumaStride = Int(info.stride.0)
    let lumaBytes = luma.assumingMemoryBound(to: UInt8.self)
    for (index, bit) in stamp.bits.enumerated() {
      let left = index % FrameStamp.columns * width / 48
      let right = (index % FrameStamp.columns + 1) * width / 48
      let top = index / FrameStamp.columns * height / 27
      let bottom = (index / FrameStamp.columns + 1) * height / 27
      for row in top..<bottom {
        (lumaBytes + row * lumaStride + left).update(repeating: bit ? 235 : 16, count: right - left)
      }
    }
    for (plane, stride) in [(blue, Int(info.stride.1)), (red, Int(info.stride.2))] {
      let bytes = plane.assumingMemoryBound(to: UInt8.self)
      for row in 0..<(FrameStamp.rows * height / 27 / 2 + 1) {
        (bytes + row * stride).update(repeating: 128, count: width / 4 + 1)
      }
    }
  }
}
