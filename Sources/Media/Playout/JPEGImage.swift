/// A frame as a JPEG picture.
public enum JPEGImage {
  /// Blocks for the time that encoding takes (some milliseconds).
  /// - Parameter quality: 1...100.
  /// - Throws: ``MediaFailure``.
  public static func encode(_ frame: VideoFrame, quality: Int = 85) throws -> [UInt8] {
    let pipeline = try Pipeline(
      """
      appsrc name=in format=time caps="\(frame.caps)" ! jpegenc quality=\(min(max(quality, 1), 100)) \
      ! appsink name=out sync=false async=false enable-last-sample=false
      """)
    defer { pipeline.stop() }
    guard let source = pipeline.element("in"), let sink = pipeline.element("out") else {
      throw MediaFailure.pipeline("no input")
    }
    try pipeline.start()
    frame.standardLayout().withUnsafeBytes { _ = source.push($0, at: 0) }
    source.endStream()
    guard let picture = sink.pull(within: 5_000_000_000)?.bytes, !picture.isEmpty else {
      throw MediaFailure.pipeline("the picture could not be made into a JPEG")
    }
    return picture
  }
}

extension VideoFrame {
  /// What the frame is in GStreamer's words.
  var caps: String {
    "video/x-raw,format=I420,width=\(width),height=\(height),framerate=0/1,pixel-aspect-ratio=1/1"
  }

  /// The planes in GStreamer's default layout: rows padded to four bytes, chroma rounded up.
  func standardLayout() -> [UInt8] {
    let lumaStride = (width + 3) & ~3
    let chromaStride = ((width + 1) / 2 + 3) & ~3
    let lumaRows = (height + 1) & ~1
    let size = lumaStride * lumaRows + 2 * chromaStride * (lumaRows / 2)
    return withPlanes { y, u, v in
      [UInt8](unsafeUninitializedCapacity: size) { memory, count in
        memory.initialize(repeating: 0)
        var position = 0
        for (plane, from, to, columns, rows, room) in [
          (y, strides[0], lumaStride, width, height, lumaRows),
          (u, strides[1], chromaStride, (width + 1) / 2, (height + 1) / 2, lumaRows / 2),
          (v, strides[2], chromaStride, (width + 1) / 2, (height + 1) / 2, lumaRows / 2),
        ] {
          for row in 0..<rows where row * from + columns <= plane.count {
            UnsafeMutableRawBufferPointer(
              rebasing: UnsafeMutableRawBufferPointer(memory)[(position + row * to)...]
            )
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: plane[row * from..<row * from + columns]))
          }
          position += to * room
        }
        count = size
      }
    }
  }
}
