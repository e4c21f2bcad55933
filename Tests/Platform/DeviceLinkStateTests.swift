import Foundation
import OrielModel
import Testing

@testable import OrielPlatform

@Suite struct DeviceLinkStateTests {
  private let identity: TestIdentity
  private let nonce = "bm9uY2U="

  init() throws { identity = try TestIdentity(serial: "O12345678") }

  private func greeted() throws -> DeviceLinkState {
    var state = DeviceLinkState()
    #expect(state.handle(.opened(nonce: nonce), at: .zero) == [.send(.challenge(Challenge(nonce: nonce)))])
    let hello = try identity.hello(nonce: nonce)
    #expect(state.handle(.received(.hello(hello)), at: .zero) == [.register(hello)])
    #expect(state.handle(.registered, at: .zero) == [.admit])
    #expect(state.phase == .serving)
    return state
  }

  private func refusal(_ code: ErrorCode, leaves: Bool = false) -> [DeviceLinkState.Action] {
    [.send(.refused(Refusal(errorCode: code.rawValue)))] + (leaves ? [.leave] : []) + [.close(1008)]
  }

  @Test func aDeviceThatProvesItsKeyIsAdmitted() throws { _ = try greeted() }

  @Test func aSignatureCoversEveryField() throws {
    let good = try identity.hello(nonce: nonce)
    var changed: [Hello] = []
    for change in 0..<5 {
      var hello = good
      switch change {
      case 0: hello.serial = try DeviceSerial("O87654321")
      case 1: hello.bootId = "another"
      case 2: hello.agreementKey = try identity.hello(nonce: nonce).signingKey
      case 3: hello.signingKey = try TestIdentity(serial: "O12345678").hello(nonce: nonce).signingKey
      default: hello = try identity.hello(nonce: "another nonce")
      }
      changed.append(hello)
    }
    for hello in changed {
      var state = DeviceLinkState()
      _ = state.handle(.opened(nonce: nonce), at: .zero)
      #expect(state.handle(.received(.hello(hello)), at: .zero) == refusal(.noPermission))
      #expect(state.phase == .closed)
    }
  }

  @Test func malformedHellosAreRefused() throws {
    let good = try identity.hello(nonce: nonce)
    let damage: [(inout Hello) -> Void] = [
      { $0.signature = "short" }, { $0.signingKey = "AAAA" }, { $0.agreementKey = "" },
      { $0.bootId = "" }, { $0.bootId = "line\nbreak" }, { $0.bootId = String(repeating: "b", count: 65) },
      { $0.report.name = String(repeating: "n", count: 101) }, { $0.report.name = "a\u{0}b" },
      { $0.report.cameras.append($0.report.cameras[0]) }, { $0.report.cameras[0].cameraNo = 0 },
      { hello in
        hello.report.cameras = (1...65).map { CameraRecord(cameraNo: $0, name: "") }
      },
    ]
    for change in damage {
      var hello = good
      change(&hello)
      var state = DeviceLinkState()
      _ = state.handle(.opened(nonce: nonce), at: .zero)
      #expect(state.handle(.received(.hello(hello)), at: .zero) == refusal(.messageMalformed))
    }
  }

  @Test func nothingElseIsHeardBeforeHello() {
    let messages: [LinkMessage] = [
      .challenge(Challenge(nonce: "")), .commandResult(CommandResult(id: "c1")),
      .signal(SignalMessage(.answer, session: "s", to: "v")), .cover(Cover(cameraNo: 1, jpeg: "")),
      .authenticate(Authentication(accessToken: "")), .refused(Refusal(errorCode: 0)),
    ]
    for message in messages {
      var state = DeviceLinkState()
      _ = state.handle(.opened(nonce: nonce), at: .zero)
      #expect(state.handle(.received(message), at: .zero) == refusal(.messageMalformed))
    }
    var late = DeviceLinkState()
    _ = late.handle(.opened(nonce: nonce), at: .zero)
    #expect(late.handle(.deadline, at: .zero) == refusal(.deviceTimeout))
    var garbled = DeviceLinkState()
    _ = garbled.handle(.opened(nonce: nonce), at: .zero)
    #expect(garbled.handle(.garbled, at: .zero) == refusal(.messageMalformed))
  }

  @Test func anotherKeysSerialIsRefused() throws {
    var state = DeviceLinkState()
    _ = state.handle(.opened(nonce: nonce), at: .zero)
    _ = state.handle(.received(.hello(try identity.hello(nonce: nonce))), at: .zero)
    #expect(state.handle(.refused(.serialTaken), at: .zero) == refusal(.serialTaken))
    #expect(state.handle(.registered, at: .zero) == [])
  }

  @Test func aSenderCannotChooseItsNameNorItsRelays() throws {
    var state = try greeted()
    var signal = SignalMessage(.answer, session: "s", from: "O99999999", to: "viewer-1")
    signal.iceServers = [ICEServerRecord(urls: ["turn:evil"])]
    let wanted = SignalMessage(.answer, session: "s", from: "O12345678", to: "viewer-1")
    #expect(state.handle(.received(.signal(signal)), at: .zero) == [.relay(wanted)])
    let goAway = SignalMessage(.goAway, session: "s", to: "viewer-1")
    #expect(state.handle(.received(.signal(goAway)), at: .zero) == [])
    let bad = SignalMessage(.answer, session: "a b", to: "viewer-1")
    #expect(state.handle(.received(.signal(bad)), at: .zero) == [])
    var large = SignalMessage(.answer, session: "s", to: "viewer-1")
    large.messagePayload = String(repeating: "A", count: SignalLimits.payload + 1)
    guard case .send(.signal(let status)) = state.handle(.received(.signal(large)), at: .zero).first else {
      Issue.record("no status")
      return
    }
    #expect(status.errorCode == 740_004)
  }

  @Test func picturesAreJPEGAndSmall() throws {
    var state = try greeted()
    let jpeg = Data(TestDevice.jpeg).base64EncodedString()
    #expect(
      state.handle(.received(.cover(Cover(cameraNo: 1, jpeg: jpeg))), at: .zero)
        == [.saveCover(cameraNo: 1, jpeg: TestDevice.jpeg)])
    let large = Data(TestDevice.jpeg + [UInt8](repeating: 0, count: 256 * 1024)).base64EncodedString()
    for bad in ["", "????", Data("GIF89a".utf8).base64EncodedString(), large] {
      #expect(state.handle(.received(.cover(Cover(cameraNo: 1, jpeg: bad))), at: .zero) == [])
    }
  }

  @Test func aFloodIsCutOff() throws {
    var state = try greeted()
    let message = LinkMessage.commandResult(CommandResult(id: "c"))
    for _ in 0..<500 { #expect(state.handle(.received(message), at: .zero).count == 1) }
    var last: [DeviceLinkState.Action] = []
    for _ in 0..<600 where state.phase == .serving { last = state.handle(.received(message), at: .zero) }
    #expect(last == refusal(.tooFrequent, leaves: true))
    var calm = try greeted()
    for second in 1...100 {
      for _ in 0..<200 {
        #expect(calm.handle(.received(message), at: .seconds(second)).count == 1)
      }
    }
  }

  @Test func theNewLinkReplacesTheOldAndTellsOnlyAnotherAgent() throws {
    var same = try greeted()
    #expect(same.handle(.superseded(bootId: "boot-1"), at: .zero) == [.close(1008)])
    var other = try greeted()
    #expect(
      other.handle(.superseded(bootId: "boot-2"), at: .zero)
        == [.send(.refused(Refusal(errorCode: 730_008))), .close(1008)])
    // What comes after belongs to no link.
    #expect(other.handle(.lost, at: .zero) == [])
    #expect(other.handle(.received(.commandResult(CommandResult(id: "c"))), at: .zero) == [])
  }

  @Test func everyEventInEveryPhaseLeavesAClosedLinkClosed() throws {
    let events: [DeviceLinkState.Event] = [
      .opened(nonce: nonce), .received(.hello(try identity.hello(nonce: nonce))), .garbled, .registered,
      .refused(.serverError), .deadline, .superseded(bootId: "x"), .lost, .drain,
    ]
    for event in events {
      var closed = try greeted()
      _ = closed.handle(.drain, at: .zero)
      #expect(closed.handle(event, at: .zero) == [])
      #expect(closed.phase == .closed)
    }
  }
}
