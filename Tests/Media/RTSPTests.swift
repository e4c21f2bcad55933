import Foundation
import OrielMedia
import Testing

/// Collects what a source gives until a condition holds.
func collect(
  _ source: MediaSource, within seconds: Double = 15, until isEnough: (SourceRecord) -> Bool
) async -> SourceRecord {
  source.start()
  let limit = Task {
    try? await Task.sleep(for: .seconds(seconds))
    if !Task.isCancelled { await source.stop() }
  }
  var record = SourceRecord()
  for await event in source.events {
    record.add(event)
    if isEnough(record) { break }
  }
  limit.cancel()
  await source.stop()
  return record
}

struct SourceRecord {
  var units: [MediaStream: [AccessUnit]] = [:]
  var audio: [AudioPacket] = []
  var ownAudio: [AudioPacket] = []
  var descriptions: [SourceDescription] = []
  var failures: [SourceFailure] = []
  var recoveries = 0

  var main: [AccessUnit] { units[.main] ?? [] }
  var sub: [AccessUnit] { units[.sub] ?? [] }

  mutating func add(_ event: SourceEvent) {
    switch event {
    case .video(let stream, let unit): units[stream, default: []].append(unit)
    case .audio(let packet): audio.append(packet)
    case .ownAudio(let packet): ownAudio.append(packet)
    case .described(let description): descriptions.append(description)
    case .failed(let failure): failures.append(failure)
    case .recovered: recoveries += 1
    }
  }

  func description(of stream: MediaStream) -> SourceDescription? {
    descriptions.last { $0.stream == stream }
  }
}

extension MediaSuites {
  @Suite(.serialized, .timeLimit(.minutes(2))) struct RTSPTests {
    private func open(
      _ server: CameraServer, credentials: Credentials? = nil, options: SourceOptions = SourceOptions()
    ) -> MediaSource {
      MediaSource(.rtsp(address: server.address, credentials: credentials), options: options)
    }

    @Test func browserReadyH264IsPassedOnWithOpus() async throws {
      let server = try CameraServer("--audio", "pcmu")
      defer { server.stop() }
      let record = await collect(open(server)) { $0.main.count >= 60 && $0.audio.count >= 50 }
      #expect(record.failures == [])
      let description = try #require(record.description(of: .main))
      #expect(description.delivery == .passedOn)
      #expect(description.reason == nil)
      #expect((description.width, description.height) == (640, 360))
      #expect(description.frameRate == 25)
      #expect(description.profileLevel?.count == 6)
      #expect(description.hasAudio)
      #expect(record.main.first?.isKeyFrame == true)
      #expect(zip(record.main, record.main.dropFirst()).allSatisfy { $0.timestamp < $1.timestamp })
      #expect(zip(record.audio, record.audio.dropFirst()).allSatisfy { $0.timestamp < $1.timestamp })
      let last = try #require(record.main.last)
      #expect(abs(last.captureTime - now()) < 10_000)
    }

    @Test func bPicturesAreEncoded() async throws {
      let server = try CameraServer("--codec", "bframes", "--audio", "aac")
      defer { server.stop() }
      var options = SourceOptions()
      options.keepsOwnAudio = true
      let record = await collect(open(server, options: options)) {
        $0.description(of: .main)?.delivery == .encoded && $0.main.count >= 40 && $0.audio.count > 10
          && $0.ownAudio.count > 5
      }
      #expect(record.ownAudio.allSatisfy { $0.form.clockRate == 16_000 && $0.duration == .milliseconds(64) })
      let description = try #require(record.description(of: .main))
      #expect(description.delivery == .encoded)
      #expect(description.reason?.contains("B-pictures") == true)
      #expect(record.failures == [])
      #expect(zip(record.main, record.main.dropFirst()).allSatisfy { $0.timestamp < $1.timestamp })
    }

    @Test(arguments: [
      ("interlaced", "interlaced"), ("h265", "H.265"), ("jpeg", "raw"),
    ]) func whatBrowsersCannotShowIsEncoded(codec: String, reason: String) async throws {
      let server = try CameraServer("--codec", codec)
      defer { server.stop() }
      let record = await collect(open(server)) { $0.main.count >= 20 }
      let description = try #require(record.description(of: .main))
      #expect(description.codec == .h264)
      #expect(description.delivery == .encoded)
      #expect(description.reason?.contains(reason) == true)
      #expect(record.failures == [])
    }

    @Test func h265IsPassedOnWhereAllowed() async throws {
      let server = try CameraServer("--codec", "h265", "--audio", "opus")
      defer { server.stop() }
      var options = SourceOptions()
      options.allowH265 = true
      let decoder = try VideoDecoder(codec: .h265)
      let record = await collect(open(server, options: options)) { $0.main.count >= 30 && !$0.audio.isEmpty }
      #expect(record.description(of: .main)?.codec == .h265)
      #expect(record.description(of: .main)?.delivery == .passedOn)
      for unit in record.main { decoder.decode(unit) }
      var frames = decoder.frames.makeAsyncIterator()
      let frame = try #require(await frames.next())
      #expect((frame.width, frame.height) == (640, 360))
      decoder.close()
    }

    @Test func subStreamIsMadeWhileAskedFor() async throws {
      let server = try CameraServer()
      defer { server.stop() }
      let source = open(server)
      source.setSubStream(true)
      let record = await collect(source) { $0.sub.count >= 20 && $0.main.count >= 20 }
      #expect(record.description(of: .main)?.delivery == .passedOn)
      #expect(record.description(of: .sub)?.delivery == .encoded)
      #expect(record.sub.first?.isKeyFrame == true)
    }

    @Test func passwordIsProvedByDigest() async throws {
      let server = try CameraServer("--user", "admin", "--password", "se:cr@t/1")
      defer { server.stop() }
      let right = Credentials(user: "admin", password: "se:cr@t/1")
      let record = await collect(open(server, credentials: right)) { $0.main.count >= 3 }
      #expect(record.failures == [])
      #expect(record.main.count >= 3)
      let wrong = Credentials(user: "admin", password: "hunter2")
      for credentials in [wrong, nil] {
        let refused = await collect(open(server, credentials: credentials)) { !$0.failures.isEmpty }
        #expect(refused.failures.first?.reason == .refused)
        #expect(!"\(refused.failures)".contains("hunter2"))
      }
    }

    @Test func wrongPathIsNotFound() async throws {
      let server = try CameraServer()
      defer { server.stop() }
      let source = MediaSource(.rtsp(address: server.address + "-not", credentials: nil))
      let record = await collect(source) { !$0.failures.isEmpty }
      #expect(record.failures.first?.reason == .notFound)
    }

    @Test func closedPortIsUnreachable() async throws {
      let server = try CameraServer()
      let address = server.address
      server.stop()
      let record = await collect(MediaSource(.rtsp(address: address, credentials: nil))) {
        !$0.failures.isEmpty
      }
      #expect(record.failures.first?.reason == .unreachable)
    }

    @Test(arguments: ["noise", "html", "nothing", "sdp"])
    func whatIsNoCameraIsNoCrash(kind: String) async throws {
      let server = try CameraServer(script: "rubbish_server.py", [kind])
      defer { server.stop() }
      var options = SourceOptions()
      options.stallLimit = .seconds(3)
      let record = await collect(open(server, options: options), within: 10) { !$0.failures.isEmpty }
      let reason = try #require(record.failures.first?.reason)
      print("rubbish \(kind): \(reason)")
      #expect(![.unreachable, .refused, .notFound].contains(reason))
      #expect(record.main.isEmpty)
    }

    @Test func ownSubStreamOfTheCameraIsPassedOn() async throws {
      let server = try CameraServer()
      defer { server.stop() }
      var options = SourceOptions()
      options.subLocation = .rtsp(address: server.address, credentials: nil)
      let source = open(server, options: options)
      source.setSubStream(true)
      let record = await collect(source) { $0.sub.count >= 10 && $0.main.count >= 10 }
      #expect(record.description(of: .sub)?.delivery == .passedOn)
      #expect(record.sub.count >= 10)
    }

    @Test func cameraThatStopsSendingHasStalled() async throws {
      let server = try CameraServer("--stall", "2")
      defer { server.stop() }
      var options = SourceOptions()
      options.stallLimit = .seconds(2)
      let record = await collect(open(server, options: options)) { !$0.failures.isEmpty }
      #expect(!record.main.isEmpty)
      #expect(record.failures.first?.reason == .stalled)
      #expect(record.failures.first?.retryAfter != nil)
    }

    @Test func announcedSoundThatNeverComesDoesNotHoldThePicture() async throws {
      let server = try CameraServer("--audio", "silent")
      defer { server.stop() }
      let record = await collect(open(server), within: 8) { $0.main.count >= 40 }
      #expect(record.main.count >= 40)
      #expect(record.failures == [])
    }

    @Test func sizeMayChangeOnTheWay() async throws {
      let server = try CameraServer("--resize", "2")
      defer { server.stop() }
      let record = await collect(open(server)) { $0.description(of: .main)?.width == 320 }
      #expect(record.description(of: .main)?.height == 240)
      #expect(record.failures == [])
    }

    @Test func codecMayChangeOnTheWay() async throws {
      let first = try CameraServer()
      let source = MediaSource(.rtsp(address: first.address, credentials: nil))
      source.start()
      var second: CameraServer?
      var record = SourceRecord()
      var before = 0
      for await event in source.events {
        record.add(event)
        if second == nil, record.main.count == 10 {
          before = record.descriptions.count
          first.kill()
          second = try CameraServer("--codec", "jpeg", port: first.port)
        }
        if record.recoveries > 0, record.descriptions.count > before, record.main.last?.isKeyFrame == true {
          break
        }
      }
      await source.stop()
      second?.stop()
      #expect(record.descriptions.first?.delivery == .passedOn)
      #expect(record.descriptions.last?.delivery == .encoded)
      #expect(record.main.allSatisfy { $0.codec == .h264 })
    }

    @Test func cameraThatComesBackIsSeenWithin5Seconds() async throws {
      let first = try CameraServer()
      let source = MediaSource(.rtsp(address: first.address, credentials: nil))
      source.start()
      var back: CameraServer?
      var returned: ContinuousClock.Instant?
      var seen = 0
      for await event in source.events {
        if case .video = event {
          seen += 1
          if seen == 10 { first.kill() }
        }
        if case .failed = event, back == nil {
          back = try CameraServer(port: first.port)
          returned = .now
        }
        if case .recovered = event { break }
      }
      let pause = try #require(returned).duration(to: .now)
      print("picture after the camera's return: \(pause)")
      #expect(pause < .seconds(8))
      await source.stop()
      back?.stop()
    }
  }
}
