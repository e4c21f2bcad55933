internal import Synchronization

/// Opus packets to the loudspeaker.
public final class AudioPlayer: Sendable {
  private struct Parts {
    var pipeline: Pipeline
    var input: PipelineElement
    var volume: PipelineElement?
  }

  private let state: Mutex<Parts?>

  /// - Throws: ``MediaFailure/noAudioDevice`` when there is no loudspeaker.
  public init() throws {
    // The flag is shared with a callback that may outlive init's failure.
    let failed = Flag()
    let opened = Pipeline.firstThatOpens(
      ["pulsesink", "alsasink"].map {
        """
        appsrc name=in format=time is-live=true max-buffers=25 max-bytes=0 max-time=0 leaky-type=downstream \
        caps="\(OpusForm.caps)" ! opusdec plc=true ! audioconvert ! audioresample ! volume name=volume \
        ! \($0) sync=false
        """
      }, onMessage: { if case .error = $0 { failed.raise() } })
    guard let pipeline = opened, let input = pipeline.element("in") else { throw MediaFailure.noAudioDevice }
    self.failed = failed
    state = Mutex(Parts(pipeline: pipeline, input: input, volume: pipeline.element("volume")))
  }

  deinit { shut() }

  private let failed: Flag

  /// Whether the loudspeaker still works; false after it was pulled out.
  public var isWorking: Bool { !failed.isRaised && state.withLock { $0 != nil } }

  /// Takes the next packet and returns at once.
  public func play(_ packet: AudioPacket) {
    guard !packet.bytes.isEmpty, packet.bytes.count <= OpusForm.sizeLimit, !failed.isRaised else { return }
    let input = state.withLock { $0?.input }
    packet.bytes.withUnsafeBytes {
      _ = input?.push($0, at: packet.timestamp.nanoseconds, lasting: packet.duration.nanoseconds)
    }
  }

  /// 0...1.
  public func setVolume(_ volume: Double) {
    let value = volume.isFinite ? min(max(volume, 0), 1) : 1
    state.withLock { $0?.volume }?.set("volume", String(value))
  }

  /// Gives the device back.
  public func close() { shut() }

  private func shut() {
    let old = state.withLock { state in
      defer { state = nil }
      return state?.pipeline
    }
    old?.stop()
  }
}

/// A flag that is raised once.
final class Flag: Sendable {
  private let value = Atomic(false)
  func raise() { value.store(true, ordering: .releasing) }
  /// - Returns: false when it was raised before.
  func raiseFirst() -> Bool { !value.exchange(true, ordering: .acquiringAndReleasing) }
  var isRaised: Bool { value.load(ordering: .acquiring) }
}
