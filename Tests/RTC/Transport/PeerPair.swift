import Testing

@testable import OrielRTC

/// Two peers of this library in one process, joined by their descriptions, over loopback sockets.
@RTCActor
final class PeerPair {
  let viewer: PeerConnection
  let camera: PeerConnection
  private(set) var viewerStates: [PeerState] = []
  private(set) var cameraStates: [PeerState] = []
  private var waiters: [(isMet: () -> Bool, done: CheckedContinuation<Void, any Error>, timer: LoopTimer?)] =
    []

  private lazy var look = LoopTimer { [unowned self] in check() }

  struct TimedOut: Error {}

  init(
    viewer viewerConfiguration: PeerConfiguration = .loopback,
    camera cameraConfiguration: PeerConfiguration = .loopback
  ) throws {
    viewer = try PeerConnection(viewerConfiguration)
    camera = try PeerConnection(cameraConfiguration)
    viewer.onStateChange = { [unowned self] in
      viewerStates.append($0)
      check()
    }
    camera.onStateChange = { [unowned self] in
      cameraStates.append($0)
      check()
    }
    viewer.onLocalCandidate = { [unowned self] in
      try? camera.addRemoteCandidate($0, mid: $1, mLine: $2)
    }
    camera.onLocalCandidate = { [unowned self] in
      try? viewer.addRemoteCandidate($0, mid: $1, mLine: $2)
    }
  }

  /// The viewer offers, the camera answers.
  func exchange(iceRestart: Bool = false) throws {
    let offer = try viewer.createOffer(iceRestart: iceRestart)
    try camera.acceptOffer(offer)
    try viewer.acceptAnswer(camera.createAnswer())
  }

  var areConnected: Bool { viewer.state == .connected && camera.state == .connected }

  /// Resumes when `condition` holds; it is looked at on every change of state and every few milliseconds.
  func wait(
    _ limit: Duration = .seconds(30), until condition: @escaping @RTCActor () -> Bool
  ) async throws {
    if condition() { return }
    try await withCheckedThrowingContinuation { done in
      let timer = RTCActor.schedule(after: limit) { [weak self] in
        guard let self else { return }
        let late = waiters
        waiters = []
        for waiter in late { waiter.done.resume(throwing: TimedOut()) }
      }
      waiters.append((condition, done, timer))
      look.arm(after: .milliseconds(5))
    }
  }

  func check() {
    if !waiters.isEmpty { look.arm(after: .milliseconds(5)) }
    let met = waiters.filter { $0.isMet() }
    waiters.removeAll { $0.isMet() }
    for waiter in met {
      waiter.timer?.cancel()
      waiter.done.resume()
    }
  }

  func close() {
    viewer.close()
    camera.close()
  }
}

extension PeerConfiguration {
  static let loopback = PeerConfiguration(includeLoopback: true)
}
