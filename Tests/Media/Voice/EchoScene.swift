import OrielMedia

/// A talk with one end in a simulated room: the far end speaks from the start, the near end joins at 8 s.
struct EchoScene: Sendable {
  static let joins = 8 * 48_000

  var room = SimulatedRoom()
  /// What the loudspeaker and the microphone say of themselves, against the truth; in milliseconds.
  var error = 0
  /// Frames that the loudspeaker takes at a time.
  var burst = 1
  var gain = true

  struct Figures: Sendable {
    /// dB, from 3 s on, over the seconds with the far end alone; the worst second.
    var enhancement = 0.0
    var worst = 0.0
    /// Of the near end while both talk, against the same alone.
    var intelligibility = 0.0
    /// The longest stretch of the near end that is 15 dB quieter than alone, in milliseconds of speech.
    var cut = 0
  }

  /// The two voices, made once.
  static let voices: Result<(far: [Float], near: [Float]), any Error> = Result {
    let far = try Speech.say(Speech.host, voice: "en-us+f3", level: -23)
    let near = try Speech.say(Speech.guest, voice: "en-gb+m1", level: -23)
    let silence = [Float](repeating: 0, count: 4_800)
    return (silence + far, near)
  }

  func figures() throws -> Figures {
    let (far, speech) = try Self.voices.get()
    let end = min(far.count, Self.joins + speech.count) / 480 * 480
    let echo = room.echo(of: Array(far[..<end]))
    let hiss = noise(end, level: -50, seed: 3)
    let near = mixed(hiss, speech, from: Self.joins)
    let both = try process(played: Array(far[..<end]), captured: mixed(near, echo))
    let alone = try process(played: [Float](repeating: 0, count: end), captured: near)

    var figures = Figures()
    let single = 3 * 48_000..<Self.joins - 4_800
    figures.enhancement = decibels(echo[single]) - decibels(both[single])
    figures.worst =
      stride(from: single.lowerBound, to: single.upperBound - 48_000, by: 24_000).map {
        decibels(echo[$0..<$0 + 48_000]) - decibels(both[$0..<$0 + 48_000])
      }.min() ?? 0
    figures.intelligibility = Intelligibility.stoi(
      of: Array(both[Self.joins...]), against: Array(alone[Self.joins...]))
    figures.cut = Self.longestCut(of: both[Self.joins...], against: alone[Self.joins...])
    return figures
  }

  private func process(played: [Float], captured: [Float]) throws -> [Float] {
    let processor = try VoiceProcessor(gain: gain)
    let told = Duration.milliseconds(room.delay + error)
    let sound = Self.samples(played)
    var heard = Self.samples(captured)
    for start in stride(from: 0, to: heard.count, by: 480) {
      if start % (burst * 480) == 0 {
        for place in stride(from: start, to: min(start + burst * 480, sound.count), by: 480) {
          sound[place..<place + 480].withUnsafeBufferPointer { processor.played($0) }
        }
      }
      heard[start..<start + 480].withUnsafeMutableBufferPointer { processor.process($0, delay: told) }
    }
    return heard.map { Float($0) / 32_768 }
  }

  private static func samples(_ values: [Float]) -> [Int16] {
    values.map { Int16(max(min($0 * 32_768, 32_767), -32_768)) }
  }

  /// Frames of 20 ms in which the near end speaks: within 20 dB of its mean.
  private static func longestCut(of heard: ArraySlice<Float>, against alone: ArraySlice<Float>) -> Int {
    let floor = decibels(alone) - 20
    var (longest, current) = (0, 0)
    for start in stride(from: alone.startIndex, to: alone.endIndex - 960, by: 960) {
      let expected = decibels(alone[start..<start + 960])
      guard expected > floor else { continue }
      current = decibels(heard[start..<start + 960]) < expected - 15 ? current + 20 : 0
      longest = max(longest, current)
    }
    return longest
  }
}
