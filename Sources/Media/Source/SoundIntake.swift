internal import Synchronization

/// The sound of one source: puts its packets in time, and gives them as Opus and, when asked, as they came.
final class SoundIntake: Sendable {
  private let timeline: SourceTimeline
  private let keepsOwn: Bool
  private let emit: @Sendable (SourceEvent) -> Void
  private let opus: OpusSound
  private let ownTimes = Mutex(SoundTimeline())

  /// - Parameter keepsOwn: AAC is given as it came, too.
  init(
    _ timeline: SourceTimeline, keepsOwn: Bool, retirement: Retirement,
    emit: @escaping @Sendable (SourceEvent) -> Void
  ) {
    self.timeline = timeline
    self.keepsOwn = keepsOwn
    self.emit = emit
    let times = Mutex(SoundTimeline())
    opus = OpusSound(retirement: retirement) { packet in
      guard let placed = times.withLock({ $0.place(packet.timestamp, lasting: packet.duration) }) else {
        return
      }
      emit(.audio(AudioPacket(timestamp: placed, bytes: packet.bytes)))
    }
  }

  /// - Parameter time: on the scale of ``Runtime/now``, in nanoseconds.
  func take(_ bytes: [UInt8], _ form: AudioForm, at time: UInt64) {
    var packet = AudioPacket(
      form: form, timestamp: timeline.timestamp(time), duration: form.packetDuration, bytes: bytes)
    if form != .opus {
      guard let placed = ownTimes.withLock({ $0.place(packet.timestamp, lasting: packet.duration) }) else {
        return
      }
      packet.timestamp = placed
      if keepsOwn { emit(.ownAudio(packet)) }
    }
    opus.take(packet)
  }

  /// The capture ended.
  func reset() { opus.reset() }
}
