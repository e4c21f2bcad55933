import OrielModel
import Testing

@testable import OrielKit

/// Every input in every state that can be reached.
struct PlayerStateExplorationTests {
  private struct Place: Hashable {
    var state: PlayerState
    var armed: Set<PlayerTimer> = []
    /// Whether an outcome is due: connecting was said, and neither stop nor failure since.
    var isUnderWay = false
  }

  private static let inputs: [PlayerInput] =
    [
      .start(nil), .start(.low), .stop, .setVideoLevel(.high), .setVideoLevel(.low), .linkUp,
      .linkDown(OrielError(.platformUnreachable)), .linkDown(OrielError(.accessTokenInvalid)), .answered,
      .refused(OrielError(.deviceOffline)), .refused(OrielError(.sessionUnknown)),
      .refused(OrielError(.notMyDevice)), .sessionEnded(nil), .sessionEnded(OrielError(.connectionLost)),
      .sessionEnded(OrielError(.notMyDevice)), .peerConnected, .peerInterrupted,
      .peerFailed(OrielError(.handshakeFailed)), .channelOpen, .levelChanged(.low), .source(nil),
      .source(.sourceStalled), .accessUnit, .picture, .silent(.seconds(2)), .deviceOnline(silent: .zero),
      .deviceOnline(silent: .seconds(1)), .deviceOffline(silent: .zero), .deviceOffline(silent: .seconds(1)),
    ] + PlayerTimer.allCases.map { .timer($0) }

  /// Applies an input and checks what must hold of its actions.
  private func step(_ place: Place, _ input: PlayerInput) throws -> Place {
    var next = place
    if case .timer(let timer) = input { next.armed.remove(timer) }
    for action in next.state.handle(input) {
      switch action {
      case .arm(let timer, let delay):
        next.armed.insert(timer)
        #expect(delay >= .zero && delay <= .seconds(30))
      case .disarm(let timer): next.armed.remove(timer)
      case .emit(let event):
        switch event {
        case .connecting:
          #expect(!place.isUnderWay)
          next.isUnderWay = true
        case .failed(let error):
          #expect(next.isUnderWay, "two outcomes, or one of nothing")
          #expect(error.code != .verificationCodeNeeded)
          next.isUnderWay = false
        default: #expect(next.isUnderWay, "\(event) after the end")
        }
      case .offer, .restart: #expect(next.state.isLinkUp, "an offer that cannot be sent")
      case .close: if input == .stop { next.isUnderWay = false }
      case .openLink, .reviveLink, .sendVideoLevel: break
      }
    }
    return next
  }

  private func check(_ place: Place) {
    #expect((place.state.phase == .idle) == !place.isUnderWay)
    switch place.state.phase {
    case .idle: #expect(place.armed.isEmpty, "a timer outlives the view")
    case .linking, .offered, .connecting, .waiting: #expect(place.armed.contains(.connect))
    case .playing: #expect(!place.armed.contains(.loss) && !place.armed.contains(.connect))
    case .lost: #expect(place.armed.contains(.loss), "a loss that nothing ends")
    }
    if case .lost(let attempt) = place.state.phase, attempt != .resting {
      #expect(place.armed.contains(.attempt), "an attempt that nothing ends")
    }
  }

  @Test func noInputBreaksTheViewInAnyState() throws {
    var seen: Set<Place> = []
    var open = [Place(state: PlayerState())]
    while let place = open.popLast() {
      guard seen.insert(place).inserted else { continue }
      check(place)
      for input in Self.inputs {
        if case .timer(let timer) = input, !place.armed.contains(timer) { continue }
        let next = try step(place, input)
        if !seen.contains(next) { open.append(next) }
      }
    }
    // The walk reached every phase.
    let phases = Set(seen.map(\.state.phase))
    #expect(phases.count == 9)
    #expect(seen.count > 100)
  }
}
