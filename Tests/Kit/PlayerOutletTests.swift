import OrielMedia
import OrielModel
import Synchronization
import Testing

@testable import OrielKit

struct PlayerOutletTests {
  private func frame(_ width: Int = 64) throws -> VideoFrame {
    try #require(VideoFrame(width: width, height: 32, packed: [UInt8](repeating: 0, count: width * 48)))
  }

  @Test func nothingFollowsAStop() async throws {
    let outlet = PlayerOutlet()
    let run = try #require(outlet.begin())
    let seen = Mutex(0)
    outlet.setSink { _ in seen.withLock { $0 += 1 } }
    outlet.show(try frame(), in: run)
    #expect(outlet.end())
    #expect(!outlet.end())
    outlet.show(try frame(), in: run)
    outlet.emit(.reconnecting, in: run)
    #expect(seen.withLock { $0 } == 1)
    outlet.finish()
    var events: [PlayerEvent] = []
    for await event in outlet.events { events.append(event) }
    #expect(events == [.sizeChanged(width: 64, height: 32), .stopped])
  }

  @Test func whatIsLeftOfAFormerViewDoesNotReachTheNext() throws {
    let outlet = PlayerOutlet()
    let first = try #require(outlet.begin())
    #expect(outlet.begin() == nil)
    #expect(outlet.end())
    _ = try #require(outlet.begin())
    outlet.show(try frame(), in: first)
    outlet.emit(.failed(OrielError(.connectionLost)), in: first)
    #expect(outlet.lastFrame == nil)
    #expect(outlet.isActive)
  }

  @Test func aSinkMayStopThePlayerFromInside() throws {
    let outlet = PlayerOutlet()
    let run = try #require(outlet.begin())
    let calls = Mutex(0)
    outlet.setSink { _ in
      calls.withLock { $0 += 1 }
      _ = outlet.end()
    }
    outlet.show(try frame(), in: run)
    outlet.show(try frame(), in: run)
    #expect(calls.withLock { $0 } == 1)
  }

  @Test func aSlowReaderGetsTheNewestFrame() async throws {
    let outlet = PlayerOutlet()
    let run = try #require(outlet.begin())
    for width in [32, 64, 128] { outlet.show(try frame(width), in: run) }
    var frames = outlet.frames.makeAsyncIterator()
    #expect(await frames.next()?.width == 128)
  }

  @Test func aFailureEndsTheViewAndItMayBeStartedAgain() throws {
    let outlet = PlayerOutlet()
    let run = try #require(outlet.begin())
    outlet.emit(.failed(OrielError(.deviceOffline)), in: run)
    #expect(!outlet.isActive)
    #expect(outlet.begin() != nil)
  }
}
