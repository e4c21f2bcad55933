internal import CGStreamer
internal import CMediaShims

/// A decoded picture in GStreamer's memory, kept mapped as long as a frame shows it.
final class SampleFrame: FrameStorage, @unchecked Sendable {  // Mapped for reading only, never written again.
  private let sample: MediaSample
  private var frame = GstVideoFrame()
  let planes: [UnsafeRawBufferPointer]
  let strides: [Int]
  let width: Int
  let height: Int

  init?(_ sample: MediaSample) {
    guard let buffer = sample.buffer, let caps = gst_sample_get_caps(sample.pointer) else { return nil }
    var info = GstVideoInfo()
    guard gst_video_info_from_caps(&info, caps) != 0,
      gst_video_frame_map(&frame, &info, buffer, GST_MAP_READ) != 0
    else { return nil }
    self.sample = sample
    width = Int(frame.info.width)
    height = Int(frame.info.height)
    let rows = [height, (height + 1) / 2, (height + 1) / 2]
    let pointers = [frame.data.0, frame.data.1, frame.data.2]
    strides = [frame.info.stride.0, frame.info.stride.1, frame.info.stride.2].map(Int.init)
    planes = zip(pointers, zip(strides, rows)).map { pointer, size in
      UnsafeRawBufferPointer(start: pointer, count: pointer == nil ? 0 : size.0 * size.1)
    }
  }

  deinit { gst_video_frame_unmap(&frame) }
}

extension VideoFrame {
  init?(_ sample: MediaSample, _ label: DecodePipeline.Label) {
    guard let storage = SampleFrame(sample) else { return nil }
    self.init(
      width: storage.width, height: storage.height, strides: storage.strides, timestamp: label.timestamp,
      captureTime: label.captureTime, storage: storage)
  }
}
