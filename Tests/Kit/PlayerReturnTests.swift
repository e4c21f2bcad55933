import OrielModel
import Testing

@testable import OrielKit

/// A view in a world with a clock of its own: camera, link and path come and go.
struct PlayerReturnTests {
  /// What the player is up against, on a clock that is only set.
  private struct World {
    var now = Duration.zero
    var state = PlayerState()
    var timers: [PlayerTimer: Duration] = [:]
    var pending: [(at: Duration, input: PlayerInput)] = []
    var events: [(at: Duration, event: PlayerEvent)] = []
    /// Whether the camera runs and can be reached.
    var isCameraThere = true
    /// Whether the platform's link works.
    var isLinkThere = true
    /// Whether the platform sees at once that the camera is gone.
    var isPlatformAware = true
    var lastPacket = Duration.zero
    /// Counts starts of the camera; a session belongs to one.
    var boot = 1
    var sessionBoot = 0
    var isFlowing = false
    var offers = 0

    mutating func give(_ input: PlayerInput) {
      for action in state.handle(input) { perform(action) }
    }

    mutating func perform(_ action: PlayerAction) {
      switch action {
      case .emit(let event): events.append((now, event))
      case .arm(let timer, let delay): timers[timer] = now + delay
      case .disarm(let timer): timers[timer] = nil
      case .openLink:
        later(.milliseconds(5), isLinkThere ? .linkUp : .linkDown(OrielError(.platformUnreachable)))
      // Finding out takes a second; the link comes with its back-off.
      case .reviveLink: if isLinkThere { later(.milliseconds(1000), .linkUp) }
      case .offer:
        offers += 1
        isFlowing = false
        reach(boot: boot)
      case .restart: reach(boot: sessionBoot)
      case .close: isFlowing = false
      case .sendVideoLevel: break
      }
    }

    mutating func reach(boot: Int) {
      guard isLinkThere else { return }
      guard isCameraThere else {
        if isPlatformAware { later(.milliseconds(10), .refused(OrielError(.deviceOffline))) }
        return
      }
      guard boot == self.boot else { return later(.milliseconds(10), .refused(OrielError(.sessionUnknown))) }
      sessionBoot = boot
      later(.milliseconds(20), .answered)
      later(.milliseconds(120), .peerConnected)
      later(.milliseconds(150), .picture)
    }

    mutating func later(_ delay: Duration, _ input: PlayerInput) { pending.append((now + delay, input)) }

    /// Lets time pass in steps of 10 ms.
    mutating func pass(_ duration: Duration) {
      let end = now + duration
      while now < end {
        now += .milliseconds(10)
        for input in pending.filter({ $0.at <= now }).map(\.input) {
          // What was on its way when the camera went does not arrive.
          if input == .picture {
            guard isCameraThere, sessionBoot == boot else { continue }
            isFlowing = true
          }
          give(input)
        }
        pending.removeAll { $0.at <= now }
        if isFlowing, isCameraThere, sessionBoot == boot { lastPacket = now }
        for (timer, at) in timers where at <= now {
          timers[timer] = nil
          give(.timer(timer))
        }
        if state.isPlaying, now - lastPacket > PlayerState.silenceLimit { give(.silent(now - lastPacket)) }
      }
    }

    mutating func play() {
      give(.start(nil))
      pass(.seconds(1))
    }

    func time(of event: PlayerEvent) -> Duration? { events.last { $0.event == event }?.at }
  }

  @Test(arguments: [1, 3, 8, 20, 27])
  func aCameraThatIsKilledAndStartedAgainIsSeenAgainWithinFiveSeconds(outage: Int) throws {
    var world = World()
    world.play()
    #expect(world.state.isPlaying)
    world.isCameraThere = false
    world.give(.deviceOffline(silent: .zero))
    world.pass(.seconds(outage))
    world.isCameraThere = true
    world.boot += 1
    world.give(.deviceOnline(silent: world.now - world.lastPacket))
    let back = world.now
    world.pass(.seconds(5))
    #expect(world.state.isPlaying)
    let again = try #require(world.time(of: .reconnected))
    #expect(again - back <= .seconds(5))
  }

  @Test(arguments: [1, 4, 12, 26])
  func aCutNetworkIsFollowedByPicturesWithinFiveSeconds(outage: Int) {
    var world = World()
    world.play()
    // Nobody hears of it: no message comes, none arrives.
    world.isCameraThere = false
    world.isPlatformAware = false
    world.isLinkThere = false
    world.pass(.seconds(outage))
    world.isCameraThere = true
    world.isLinkThere = true
    // The link's own back-off is two seconds at most.
    world.later(.seconds(2), .linkUp)
    world.pass(.seconds(5))
    #expect(world.state.isPlaying)
  }

  @Test func aCameraThatStaysAwayEndsTheViewThirtySecondsAfterTheLoss() throws {
    for isAware in [true, false] {
      var world = World()
      world.play()
      let loss = world.now
      world.isCameraThere = false
      world.isPlatformAware = isAware
      world.pass(.seconds(40))
      let end = try #require(world.time(of: .failed(OrielError(.connectionLost))))
      #expect(end - loss >= .seconds(29) && end - loss <= .seconds(31))
      #expect(world.state.phase == .idle)
      #expect(world.timers.isEmpty)
      #expect(world.offers < 40)
    }
  }

  @Test func aPlatformThatIsAwayForAWhileIsNotNoticedByTheViewer() {
    var world = World()
    world.play()
    let count = world.events.count
    world.isLinkThere = false
    world.give(.linkDown(OrielError(.platformUnreachable)))
    world.pass(.seconds(60))
    world.isLinkThere = true
    world.give(.linkUp)
    world.pass(.seconds(5))
    #expect(world.state.isPlaying)
    #expect(world.events.count == count)
  }
}
