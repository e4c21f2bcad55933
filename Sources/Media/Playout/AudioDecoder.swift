/// Sound as samples: signed 16 bits, 48 kHz, one channel.
public struct AudioSamples: Sendable {
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

  /// - Throws: ``MediaFailure``.
  public init() throws {
    (samples, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(50))
  }

  public func decode(_ packet: AudioPacket) {}
  public func close() { continuation.finish() }
}
