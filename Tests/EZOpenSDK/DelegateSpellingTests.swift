import EZOpenSDKFramework
import Foundation
import Synchronization
import Testing

@testable import EZOpenSDKFramework

/// What a delegate was told; the calls come on the main queue.
final class Told: Sendable {
  private let calls = Mutex<[String]>([])

  func note(_ call: String) { calls.withLock { $0.append(call) } }
  var all: [String] { calls.withLock { $0 } }
}

/// A delegate as the vendor's demo has it: the optionality that Swift gives headers without nullability.
final class VendorFormDelegate: EZPlayerDelegate {
  let told = Told()

  func player(_ player: EZPlayer!, didPlayFailed error: (any Error)!) {
    told.note("failed \((error! as NSError).code)")
  }
  func player(_ player: EZPlayer!, didReceivedMessage messageCode: Int) {
    told.note("message \(messageCode)")
  }
  func player(_ player: EZPlayer!, didReceivedMessageCode messageCode: Int) {
    told.note("code \(messageCode)")
  }
  func player(_ player: EZPlayer!, didReceivedDataLength dataLength: Int) {
    told.note("length \(dataLength)")
  }
  func player(_ player: EZPlayer!, didReceivedDisplayHeight height: Int, displayWidth width: Int) {
    told.note("size \(width)x\(height)")
  }
}

/// The same without the marks.
final class PlainFormDelegate: EZPlayerDelegate {
  let told = Told()

  func player(_ player: EZPlayer, didPlayFailed error: any Error) {
    told.note("failed \((error as NSError).code)")
  }
  func player(_ player: EZPlayer, didReceivedMessage messageCode: Int) { told.note("message \(messageCode)") }
  func player(_ player: EZPlayer, didReceivedMessageCode messageCode: Int) {
    told.note("code \(messageCode)")
  }
  func player(_ player: EZPlayer, didReceivedDataLength dataLength: Int) { told.note("length \(dataLength)") }
  func player(_ player: EZPlayer, didReceivedDisplayHeight height: Int, displayWidth width: Int) {
    told.note("size \(width)x\(height)")
  }
}

/// Question marks instead.
final class QuestionFormDelegate: EZPlayerDelegate {
  let told = Told()

  func player(_ player: EZPlayer?, didPlayFailed error: (any Error)?) {
    told.note("failed \((error as NSError?)?.code ?? 0)")
  }
  func player(_ player: EZPlayer?, didReceivedMessage messageCode: Int) {
    told.note("message \(messageCode)")
  }
}

/// Nothing at all: every method is optional.
final class SilentDelegate: EZPlayerDelegate {}

extension LibraryTests {
  @Suite struct DelegateSpellingTests {
    private static let everything = ["message 1", "code 1", "size 640x360", "length 900", "failed 400035"]

    private func player() throws -> EZPlayer {
      EZGlobalSDK.initLib(withAppKey: "key", url: "http://127.0.0.1:9", authUrl: nil)
      return try #require(EZGlobalSDK.createPlayer(withDeviceSerial: "O00000001", cameraNo: 1))
    }

    private func tellEverything(_ delegate: any EZPlayerDelegate) throws {
      let calls = EZDelegateCalls(delegate: delegate, player: try player())
      calls.message(.PLAYER_REALPLAY_START)
      calls.size(width: 640, height: 360)
      calls.dataLength(900)
      calls.failed(NSError(domain: EZErrorDomain, code: EZ_SDK_NEED_VALIDATECODE))
    }

    @Test func aDelegateInTheVendorsFormIsToldEverythingOnce() throws {
      let delegate = VendorFormDelegate()
      try tellEverything(delegate)
      #expect(delegate.told.all == Self.everything)
    }

    @Test func aDelegateWithoutMarksIsToldEverythingOnce() throws {
      let delegate = PlainFormDelegate()
      try tellEverything(delegate)
      #expect(delegate.told.all == Self.everything)
    }

    @Test func aDelegateMayLeaveMethodsOut() throws {
      let delegate = QuestionFormDelegate()
      try tellEverything(delegate)
      #expect(delegate.told.all == ["message 1", "failed 400035"])
      try tellEverything(SilentDelegate())
    }

    @Test func theFailureOfAStartReachesTheDelegate() async throws {
      EZGlobalSDK.initLib(withAppKey: "key", url: "http://127.0.0.1:9", authUrl: nil)
      EZGlobalSDK.setAccessToken("at.test")
      for (serial, code) in [("nonsense", EZ_HTTPS_ILLEGAL_DEVICE_SERIAL), ("O00000001", 730_001)] {
        let player = try #require(EZGlobalSDK.createPlayer(withDeviceSerial: serial, cameraNo: 1))
        let code = code
        let (stream, continuation) = AsyncStream<String>.makeStream()
        let delegate = ForwardingDelegate(continuation)
        player.delegate = delegate
        #expect(player.startRealPlay())
        var calls = stream.makeAsyncIterator()
        #expect(await calls.next() == "failed \(code)")
        // It may be started again after that.
        #expect(player.startRealPlay())
        player.stopRealPlay()
        #expect(!player.stopRealPlay())
        player.destoryPlayer()
        #expect(!player.startRealPlay())
      }
      EZGlobalSDK.destoryLib()
    }

    @Test func theDelegateIsNotKeptAlive() throws {
      let player = try player()
      var delegate: VendorFormDelegate? = VendorFormDelegate()
      player.delegate = delegate
      #expect(player.delegate != nil)
      delegate = nil
      #expect(player.delegate == nil)
    }
  }
}

/// Passes on what it is told.
final class ForwardingDelegate: EZPlayerDelegate {
  private let calls: AsyncStream<String>.Continuation

  init(_ calls: AsyncStream<String>.Continuation) { self.calls = calls }

  func player(_ player: EZPlayer!, didPlayFailed error: (any Error)!) {
    calls.yield("failed \((error! as NSError).code)")
  }
  func player(_ player: EZPlayer!, didReceivedMessageCode messageCode: Int) {
    calls.yield("code \(messageCode)")
  }
}
