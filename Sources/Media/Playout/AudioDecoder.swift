internal import Synchronization

/// Sound as samples: signed 16 bits, 48 kHz, one channel.
public struct AudioSamples: Sendable {
  /// As in the packet the samples were decoded from.
  public var timestamp: Duration
  public var samples: [Int16]

  public init(timestamp: Duration, samples: [Int16]) {
    self.timestamp = timestamp
    self.samples = samples
  }
}

/// Opus packets to samples.
public final class AudioDecoder: Sendable {
  /// Samples as they are ready; the newest second is kept. Ends after ``close()``.
  public let samples: AsyncStream<AudioSamples>
  private let continuation: AsyncStream<AudioSamples>.Continuation
  private let state: Mutex<(pipeline: Pipeline, input: PipelineElement)?>

  /// - Throws: ``MediaFailure``.
  public init() throws {
    let (samples, continuation) = AsyncStream.makeStream(
      of: AudioSamples.self, bufferingPolicy: .bufferingNewest(50))
    self.samples = samples
    self.continuation = continuation
    let pipeline = try Pipeline(
      """
      appsrc name=in format=time is-live=true max-buffers=50 max-bytes=0 max-time=0 leaky-type=downstream \
      caps="\(OpusForm.caps)" ! opusdec ! audioconvert ! audioresample \
      ! audio/x-raw,format=S16LE,rate=48000,channels=1,layout=interleaved \
      ! appsink name=out sync=false async=false enable-last-sample=false
      """, onMessage: { if case .error = $0 { continuation.finish() } })
    guard let input = pipeline.element("in") else { throw MediaFailure.pipeline("no input") }
    pipeline.onSample("out") { sample in
      let bytes = sample.bytes
      let values = bytes.withUnsafeBytes { raw in
        (0..<raw.count / 2).map {
          Int16(littleEndian: raw.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self))
        }
      }
      let time = Duration.nanoseconds(sample.presentationTime ?? 0)
      continuation.yield(AudioSamples(timestamp: time, samples: values))
    }
    try pipeline.start()
    state = Mutex((pipeline, input))
  }

  deinit { shut() }

  /// Takes the next packet and returns at once.
  public func decode(_ packet: AudioPacket) {
    guard !packet.bytes.isEmpty, packet.bytes.count <= OpusForm.sizeLimit else { return }
    let input = state.withLock { $0?.input }
    packet.bytes.withUnsafeBytes {
      _ = input?.push($0, at: packet.timestamp.nanoseconds, lasting: packet.duration.nanoseconds)
    }
  }

  /// Ends the samples and gives back all threads.
  public func close() { shut() }

  private func shut() {
    let old = state.withLock { state in
      defer { state = nil }
      return state?.pipeline
    }
    continuation.finish()
    old?.stop()
  }
}

/// The one form that sound has.
enum OpusForm {
  static let caps = "audio/x-opus,rate=48000,channels=1,channel-mapping-family=0"
  /// Bytes of the largest Opus packet of 20 ms (RFC 6716 section 3.2.1), with room.
  static let sizeLimit = 4096
}
