import OrielModel
import Testing

@testable import OrielCamera

@Suite struct UploadStateTests {
  private static let piece = UploadState.piece
  private let item = UploadItem(
    id: "f1", path: "/r/1.mp4", cameraNo: 1, kind: .event, startTime: 1_000, endTime: 61_000)
  private let request = UploadRequest(
    id: "u1", cameraNo: 1, kind: .event, startTime: 1_000, endTime: 61_000, size: 600_000,
    digest: String(repeating: "0", count: 64))

  /// A state that waits for the platform's grant.
  private func asking() -> UploadState {
    var state = UploadState()
    for event in [UploadState.Event.online, .found(item), .prepared(request)] {
      _ = state.handle(event, random: 0)
    }
    return state
  }

  private func sending(at offset: Int64 = 0) -> UploadState {
    var state = asking()
    _ = state.handle(.granted(UploadGrant(id: "u1", path: "/p", offset: offset)), random: 0)
    return state
  }

  private func send(_ offset: Int64, _ count: Int64) -> UploadState.Action {
    .send(item, path: "/p", offset: offset, count: Int(count))
  }

  @Test func aRecordingGoesUpInPiecesAndTheNextIsLookedFor() {
    var state = UploadState()
    #expect(state.handle(.online, random: 0) == [.find])
    #expect(state.handle(.found(item), random: 0) == [.prepare(item)])
    #expect(
      state.handle(.prepared(request), random: 0) == [
        .ask(request), .startTimer(1, UploadState.answerLimit),
      ])
    let grant = UploadGrant(id: "u1", path: "/p", offset: 0)
    #expect(state.handle(.granted(grant), random: 0) == [send(0, Self.piece)])
    let progress = UploadProgress(offset: Self.piece, isStored: false)
    #expect(state.handle(.sent(progress), random: 0) == [send(Self.piece, Self.piece)])
    let second = UploadProgress(offset: 2 * Self.piece, isStored: false)
    #expect(state.handle(.sent(second), random: 0) == [send(2 * Self.piece, 600_000 - 2 * Self.piece)])
    #expect(
      state.handle(.sent(UploadProgress(offset: 600_000, isStored: true)), random: 0) == [
        .markUploaded(item), .find,
      ])
    #expect(state.handle(.found(nil), random: 0) == [.startTimer(5, UploadState.poll)])
    #expect(state.handle(.wake, random: 0) == [.find])
  }

  @Test func itGoesOnWhereThePlatformSays() {
    var state = asking()
    #expect(
      state.handle(.granted(UploadGrant(id: "u1", path: "/p", offset: 590_000)), random: 0) == [
        send(590_000, 10_000)
      ])
    // Another sender was faster.
    #expect(state.handle(.failed(.uploadOffset, offset: 595_000), random: 0) == [send(595_000, 5_000)])
    // All is there and nobody finished it: an empty piece does.
    #expect(state.handle(.failed(.uploadOffset, offset: 600_000), random: 0) == [send(600_000, 0)])
  }

  @Test func whatTheCloudHasAlreadyIsNoted() {
    var state = asking()
    let grant = UploadGrant(id: "u1", offset: 600_000, isStored: true)
    #expect(state.handle(.granted(grant), random: 0) == [.markUploaded(item), .find])
  }

  @Test(arguments: [
    ErrorCode.cloudTooOld, .cloudStretch, .cloudOverlap, .cloudFull, .cameraNotFound,
  ])
  func whatTheCloudWillNeverTakeIsGivenUp(_ code: ErrorCode) {
    var state = asking()
    let grant = UploadGrant(id: "u1", errorCode: code.rawValue)
    #expect(state.handle(.granted(grant), random: 0) == [.giveUp(item, code), .find])
  }

  @Test(arguments: [
    ErrorCode.notMyDevice, .cloudUnsupported, .serverError, .tooFrequent, .cloudStore,
  ])
  func whatMayPassIsWaitedFor(_ code: ErrorCode) {
    var state = asking()
    _ = state.handle(.granted(UploadGrant(id: "u1", errorCode: code.rawValue)), random: 0)
    #expect(state.phase == .waiting)
  }

  @Test(arguments: [ErrorCode.diskFull, .cloudStore, .platformUnreachable, .platformAnswer])
  func waitsGrowToAMinuteAndProgressEndsThem(_ code: ErrorCode) {
    var state = UploadState()
    _ = state.handle(.online, random: 0)
    var waits: [Duration] = []
    for _ in 0..<9 {
      _ = state.handle(.found(item), random: 1)
      _ = state.handle(.prepared(request), random: 1)
      _ = state.handle(.granted(UploadGrant(id: "u1", path: "/p", offset: 0)), random: 1)
      guard case .startTimer(let number, let wait)? = state.handle(.failed(code, offset: nil), random: 1).last
      else {
        Issue.record("no wait")
        return
      }
      waits.append(wait)
      #expect(state.handle(.timer(number), random: 1) == [.find])
    }
    #expect(waits.prefix(4) == [.seconds(1), .seconds(2), .seconds(4), .seconds(8)])
    #expect(waits.last == .seconds(60))
  }

  @Test func anAddressWhoseTimeIsOverIsAskedForAgain() {
    var state = sending()
    #expect(
      state.handle(.failed(.uploadExpired, offset: nil), random: 0).first == .ask(request))
    #expect(
      state.handle(.granted(UploadGrant(id: "u1", path: "/q", offset: 5)), random: 0) == [
        .send(item, path: "/q", offset: 5, count: Int(Self.piece))
      ])
  }

  @Test func aRecordingThatIsNeverWhatItWasIsLetBe() {
    var state = sending()
    for _ in 0..<UploadState.patience {
      let actions = state.handle(.failed(.uploadDigest, offset: 0), random: 0)
      guard case .startTimer(let number, _)? = actions.last else {
        Issue.record("no pause")
        return
      }
      _ = state.handle(.timer(number), random: 0)
      _ = state.handle(.found(item), random: 0)
      _ = state.handle(.prepared(request), random: 0)
      _ = state.handle(.granted(UploadGrant(id: "u1", path: "/p", offset: 0)), random: 0)
    }
    #expect(
      state.handle(.failed(.uploadDigest, offset: 0), random: 0) == [.giveUp(item, .uploadDigest), .find])
  }

  @Test func aFileThatIsGoneIsGivenUp() {
    var state = UploadState()
    _ = state.handle(.online, random: 0)
    _ = state.handle(.found(item), random: 0)
    #expect(
      state.handle(.failed(.recordNotFound, offset: nil), random: 0) == [
        .giveUp(item, .recordNotFound), .find,
      ])
  }

  @Test func anOutageEndsWhatIsUnderWayAndTheNextLinkBeginsAnew() {
    var state = sending()
    #expect(state.handle(.offline, random: 0) == [.cancel])
    #expect(state.handle(.sent(UploadProgress(offset: 9, isStored: true)), random: 0) == [])
    #expect(state.handle(.online, random: 0) == [.find])
  }

  @Test func aPlatformThatDoesNotAnswerIsAskedAgain() {
    var state = asking()
    guard case .startTimer(let number, _)? = state.handle(.timer(1), random: 0).last else {
      Issue.record("no wait")
      return
    }
    #expect(state.handle(.granted(UploadGrant(id: "u1", path: "/p", offset: 0)), random: 0) == [])
    #expect(state.handle(.timer(number), random: 0) == [.find])
  }

  @Test func answersToOtherQuestionsAndNonsenseAreNotFollowed() {
    var state = asking()
    #expect(state.handle(.granted(UploadGrant(id: "u0", path: "/p", offset: 0)), random: 0) == [])
    _ = state.handle(.granted(UploadGrant(id: "u1", path: "/p", offset: 600_001)), random: 0)
    #expect(state.phase == .waiting)
    state = sending()
    _ = state.handle(.sent(UploadProgress(offset: 0, isStored: false)), random: 0)
    #expect(state.phase == .waiting)
  }

  /// Whatever comes in whatever order: one thing at a time is under way, and a stopped one does nothing.
  @Test func anyOrderOfEventsLeavesItSound() {
    var random = Sequence64(state: 7)
    let codes: [ErrorCode] = [
      .uploadOffset, .uploadExpired, .uploadDigest, .diskFull, .recordNotFound, .recordDamaged, .cloudFull,
    ]
    for _ in 0..<300 {
      var state = UploadState()
      var number = 0
      for _ in 0..<60 {
        let events: [UploadState.Event] = [
          .online, .online, .offline, .wake, .found(item), .found(nil), .prepared(request),
          .granted(UploadGrant(id: "u1", path: "/p", offset: .random(in: -1...600_001, using: &random))),
          .granted(UploadGrant(id: "u1", errorCode: codes.randomElement(using: &random)?.rawValue ?? 0)),
          .sent(UploadProgress(offset: .random(in: -1...700_000, using: &random), isStored: false)),
          .failed(
            codes.randomElement(using: &random) ?? .diskFull,
            offset: .random(in: -1...700_000, using: &random)),
          .timer(number),
        ]
        let actions = state.handle(events.randomElement(using: &random) ?? .wake, random: 0.5)
        for action in actions {
          if case .startTimer(let next, _) = action { number = next }
          if case .send(_, _, let offset, let count) = action {
            #expect(offset >= 0 && count >= 0 && offset + Int64(count) <= request.size)
          }
        }
        let busy = actions.filter {
          switch $0 {
          case .find, .prepare, .ask, .send: true
          default: false
          }
        }
        #expect(busy.count <= 1)
      }
      _ = state.handle(.stop, random: 0)
      #expect(state.handle(.online, random: 0) == [] && state.phase == .stopped)
    }
  }
}

/// The same numbers each time (SplitMix64).
private struct Sequence64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
