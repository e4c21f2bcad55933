import Foundation
import OrielModel
import OrielNet
import Testing

@testable import OrielPlatform

@Suite struct OwnershipTests {
  @Test func theFirstKeyOwnsASerial() async throws {
    try await TestPlatform.run { platform in
      let first = try await platform.device()
      let thief = TestPeer(socket: try await platform.client.openWebSocket(path: "/v1/device"))
      let nonce = try await thief.first { if case .challenge(let value) = $0 { value.nonce } else { nil } }
      try await thief.send(.hello(try TestIdentity(serial: "O12345678").hello(nonce: nonce)))
      #expect(try await thief.refusal() == 730_006)
      // The owner's link has not felt it.
      try await platform.add(first)
    }
  }

  @Test func aSignatureIsGoodForOneNonceOnly() async throws {
    try await TestPlatform.run { platform in
      let identity = try TestIdentity(serial: "O12345678")
      let peer = TestPeer(socket: try await platform.client.openWebSocket(path: "/v1/device"))
      let nonce = try await peer.first { if case .challenge(let value) = $0 { value.nonce } else { nil } }
      let hello = try identity.hello(nonce: nonce)
      try await peer.send(.hello(hello))
      _ = try await peer.welcome()
      let replay = TestPeer(socket: try await platform.client.openWebSocket(path: "/v1/device"))
      try await replay.send(.hello(hello))
      #expect(try await replay.refusal() == 110_031)
    }
  }

  @Test func aRestartedDeviceTakesOverAtOnce() async throws {
    try await TestPlatform.run { platform in
      let identity = try TestIdentity(serial: "O12345678")
      let old = try await platform.device(bootId: "one", identity: identity)
      try await platform.add(old)
      let viewer = try await platform.viewer()
      _ = try await viewer.welcome()
      let new = try await platform.device(bootId: "two", identity: identity)
      #expect(try await old.refusal() == 730_008)
      #expect(try await viewer.event().kind == .changed)
      try await viewer.send(.signal(SignalMessage(.offer, session: "s", to: "O12345678", payload: "e30=")))
      #expect(try await new.signal().action == .offer)
      // The old link's end is not the device's.
      let record = try await platform.v1("GET", "/v1/devices/O12345678").decode(DeviceRecord.self)
      #expect(record.status == .online)
    }
  }

  @Test func twoAccountsThatAddOneDeviceAtOnceGetOneWinner() async throws {
    try await TestPlatform.run { platform in
      let second = try await platform.makeAccount("second")
      for number in 0..<5 {
        let device = try await platform.device(serial: "O1000000\(number)")
        async let one =
          platform.lapp(
            "device/add", ["deviceSerial": device.identity.serial.value, "validateCode": device.code])[
            "code"] as? String
        async let two =
          platform.lapp(
            "device/add", ["deviceSerial": device.identity.serial.value, "validateCode": device.code],
            token: second)["code"] as? String
        let codes = [try await one, try await two].map { $0 ?? "" }
        #expect(codes.sorted() == ["200", "20013"])
      }
    }
  }

  @Test func anothersDeviceLooksLikeNone() async throws {
    try await TestPlatform.run { platform in
      let stranger = try await platform.makeAccount("stranger")
      let device = try await platform.device()
      try await platform.add(device)
      let calls: [(String, String, [String: Any]?)] = [
        ("GET", "", nil), ("PATCH", "", ["name": "mine"]), ("DELETE", "", nil),
        ("PUT", "/cameras/1/video-level", ["level": 1]), ("POST", "/cameras/1/capture", nil),
        ("GET", "/cameras/1/cover", nil),
      ]
      for (method, path, body) in calls {
        var answers: [[UInt8]] = []
        for serial in ["O12345678", "O00000000"] {
          let answer = try await platform.v1(method, "/v1/devices/\(serial)\(path)", body, token: stranger)
          #expect(answer.status == 404)
          answers.append(answer.body)
        }
        #expect(answers[0] == answers[1])
      }
      for call in [
        "device/info", "device/delete", "device/status/get", "device/camera/list", "device/capture",
      ] {
        for serial in ["O12345678", "O00000000"] {
          let answer = try await platform.lapp(call, ["deviceSerial": serial], token: stranger)
          #expect(answer["code"] as? String == "20018")
        }
      }
      let viewer = try await platform.viewer(token: stranger)
      _ = try await viewer.welcome()
      for serial in ["O12345678", "O00000000"] {
        try await viewer.send(.signal(SignalMessage(.offer, session: serial, to: serial, payload: "e30=")))
        #expect(try await viewer.signal(.status).errorCode == 120_018)
      }
      #expect(
        try await platform.failure("GET", "/v1/devices/O12345678/probe", token: stranger).code == 120_022)
      #expect(try await platform.failure("GET", "/v1/devices/O12345678/probe").code == 120_020)
      #expect(try await platform.failure("GET", "/v1/devices/O00000000/probe").code == 120_002)
    }
  }

  @Test func aDeviceReachesOnlyViewersOfItsSessions() async throws {
    try await TestPlatform.run { platform in
      let device = try await platform.device(serial: "O12345678")
      let other = try await platform.device(serial: "O87654321")
      try await platform.add(device)
      let viewer = try await platform.viewer()
      let welcome = try await viewer.welcome()
      try await viewer.send(.signal(SignalMessage(.offer, session: "s", to: "O12345678", payload: "e30=")))
      _ = try await device.signal()
      // A device of nobody, and the right device with a session that is none.
      try await other.peer.send(.signal(SignalMessage(.answer, session: "s", to: welcome.clientId)))
      #expect(try await other.signal().errorCode == 740_006)
      try await device.peer.send(.signal(SignalMessage(.answer, session: "t", to: welcome.clientId)))
      #expect(try await device.signal().errorCode == 740_006)
      try await device.peer.send(.signal(SignalMessage(.answer, session: "s", to: "viewer-none")))
      #expect(try await device.signal().errorCode == 740_006)
    }
  }

  @Test func coversAreTheOwnersOnly() async throws {
    try await TestPlatform.run { platform in
      let device = try await platform.device()
      try await platform.add(device)
      let viewer = try await platform.viewer()
      _ = try await viewer.welcome()
      let base64 = Data(TestDevice.jpeg).base64EncodedString()
      try await device.peer.send(.cover(Cover(cameraNo: 1, jpeg: base64)))
      #expect(try await viewer.event().kind == .changed)
      let record = try await platform.v1("GET", "/v1/devices/O12345678").decode(DeviceRecord.self)
      let address = try #require(record.cameras[0].coverURL)
      let url = try #require(URLComponents(string: address))
      let query = (url.queryItems ?? []).map { (name: $0.name, value: $0.value ?? "") }
      let cover = try await platform.v1("GET", url.path, token: "", query: query)
      #expect(cover.status == 200)
      #expect(cover.body == TestDevice.jpeg)
      #expect(try await platform.v1("GET", url.path).body == TestDevice.jpeg)
      #expect(try await platform.v1("GET", url.path, token: "").status == 401)
      for index in query.indices {
        var forged = query
        forged[index].value += "1"
        #expect(try await platform.v1("GET", url.path, token: "", query: forged).status == 403)
      }
      _ = try await platform.v1("DELETE", "/v1/devices/O12345678")
      #expect(try await platform.v1("GET", url.path, token: "", query: query).status == 403)
      #expect(FileManager.default.fileExists(atPath: platform.folder + "/covers/O12345678-1.jpg") == false)
      // The next owner does not see the former one's picture.
      let next = try await platform.makeAccount("next")
      try await platform.add(device, token: next)
      let mine = try await platform.v1("GET", "/v1/devices/O12345678", token: next).decode(DeviceRecord.self)
      #expect(mine.cameras[0].coverURL == nil)
    }
  }

  @Test func commandsReachTheDevice() async throws {
    try await TestPlatform.run { platform in
      let device = try await platform.device()
      try await platform.add(device)
      let set = try await platform.v1(
        "PUT", "/v1/devices/O12345678/cameras/1/video-level", ["level": 0])
      #expect(set.status == 200)
      let record = try await platform.v1("GET", "/v1/devices/O12345678").decode(DeviceRecord.self)
      #expect(record.cameras[0].videoLevel == .low)
      #expect(
        try await platform.failure("PUT", "/v1/devices/O12345678/cameras/1/video-level", ["level": 9])
          == (400, 110_001))
      #expect(
        try await platform.failure("PUT", "/v1/devices/O12345678/cameras/2/video-level", ["level": 0])
          == (404, 120_001))
      let capture = try await platform.v1("POST", "/v1/devices/O12345678/cameras/1/capture")
      #expect(capture.body == TestDevice.jpeg)
      #expect(capture.headers["Content-Type"] == "image/jpeg")
      for _ in 0..<2 { _ = try await platform.v1("POST", "/v1/devices/O12345678/cameras/1/capture") }
      #expect(
        try await platform.failure("POST", "/v1/devices/O12345678/cameras/1/capture") == (429, 110_029))
    }
  }
}
