import OrielMedia
import Testing

@Suite struct VoiceProcessorTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var scene: EchoScene
    var testDescription: String { name }
  }

  @Test(
    "One talking: 30 dB of echo less after 3 s. Both talking: neither is cut for 300 ms, and is understood (STOI 0.75)",
    arguments: [
      Row(name: "20 ms, -6 dB", scene: EchoScene(room: SimulatedRoom(delay: 20, gain: -6, seed: 2))),
      Row(
        name: "40 ms, -8 dB, a loudspeaker that distorts",
        scene: EchoScene(room: SimulatedRoom(distortion: 3))),
      Row(
        name: "60 ms, -10 dB, told 90 ms",
        scene: EchoScene(room: SimulatedRoom(delay: 60, gain: -10), error: 30)),
      Row(
        name: "150 ms, told 50, frames in twos",
        scene: EchoScene(room: SimulatedRoom(delay: 150), error: -100, burst: 2)),
    ])
  func echo(row: Row) throws {
    let figures = try row.scene.figures()
    #expect(figures.enhancement >= 30, "ERLE \(figures.enhancement) dB")
    #expect(figures.intelligibility >= 0.75, "STOI \(figures.intelligibility)")
    #expect(figures.cut <= 300, "cut for \(figures.cut) ms")
  }

  @Test("Noise is taken away, speech is not")
  func noiseSuppression() throws {
    let speech = try EchoScene.voices.get().near
    let hiss = noise(48_000 * 6, level: -40, seed: 9)
    let processor = try VoiceProcessor(echo: false, noise: true, gain: false)
    var quiet: [Float] = []
    var loud: [Float] = []
    for start in stride(from: 0, to: hiss.count, by: 480) {
      let isSpeech = start >= 48_000 * 3
      var frame = (start..<start + 480).map {
        Int16((hiss[$0] + (isSpeech ? speech[$0 - 48_000 * 3] : 0)) * 32_768)
      }
      processor.process(&frame, delay: .zero)
      let values = frame.map { Float($0) / 32_768 }
      if isSpeech { loud += values } else if start >= 48_000 { quiet += values }
    }
    #expect(decibels(quiet) < -52)
    #expect(abs(decibels(loud) - decibels(speech[..<(48_000 * 3)])) < 2)
  }

  @Test("A voice that is too quiet is raised, a loud one is not driven into the limit")
  func gainControl() throws {
    let speech = try EchoScene.voices.get().near
    for (level, range) in [(-40.0, 6.0...25.0), (-14.0, -6.0...4.0)] {
      let input = Speech.scaled(speech, to: level).map { max(min($0, 0.99), -0.99) }
      let processor = try VoiceProcessor(echo: false, noise: true, gain: true)
      var output: [Float] = []
      for start in stride(from: 0, to: input.count - 480, by: 480) {
        var frame = (start..<start + 480).map { Int16(input[$0] * 32_768) }
        processor.process(&frame, delay: .zero)
        output += frame.map { Float($0) / 32_768 }
      }
      let half = output.count / 2
      let raised = decibels(output[half...]) - decibels(input[half...])
      #expect(range.contains(raised), "\(level) dBFS raised by \(raised) dB")
    }
  }

  @Test("Frames of another length, and delays no device has, do no harm")
  func hostile() throws {
    let processor = try VoiceProcessor()
    for count in [0, 1, 479, 481, 960] {
      var frame = [Int16](repeating: 7, count: count)
      processor.played(frame)
      processor.process(&frame, delay: .milliseconds(40))
      #expect(frame == [Int16](repeating: 7, count: count))
    }
    for delay in [Duration.seconds(-5), .seconds(1_000_000), .nanoseconds(1), .seconds(Int64.max / 2)] {
      var frame = [Int16](repeating: .min, count: 480)
      for _ in 0..<200 { processor.played(frame) }
      processor.process(&frame, delay: delay)
      #expect(frame.count == 480)
    }
  }

  @Test("Silence stays silence")
  func silence() throws {
    let processor = try VoiceProcessor()
    var loudest: Int16 = 0
    for _ in 0..<300 {
      var frame = [Int16](repeating: 0, count: 480)
      processor.process(&frame, delay: .milliseconds(40))
      loudest = max(loudest, frame.map { abs($0) }.max() ?? 0)
    }
    #expect(loudest <= 2)
  }
}
