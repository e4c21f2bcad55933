import OrielModel
import Synchronization
import Testing

@testable import OrielKit

/// Links that the test opens, feeds and breaks.
private final class FakeConnector: LinkConnector {
  struct Opened: Sendable {
    var sent: AsyncStream<LinkMessage>
    var incoming: AsyncThrowingStream<LinkMessage, any Error>.Continuation
  }

  private let failure = Mutex<OrielError?>(nil)
  private let opened = AsyncStream<Opened>.makeStream()
  private let count = Mutex(0)

  var attempts: Int { count.withLock { $0 } }
  var links: AsyncStream<Opened> { opened.stream }

  func refuse(with error: OrielError?) { failure.withLock { $0 = error } }

  func connect() async throws -> OpenLink {
    count.withLock { $0 += 1 }
    if let error = failure.withLock({ $0 }) { throw error }
    let sent = AsyncStream<LinkMessage>.makeStream()
    let incoming = AsyncThrowingStream<LinkMessage, any Error>.makeStream()
    opened.continuation.yield(Opened(sent: sent.stream, incoming: incoming.continuation))
    return OpenLink(
      welcome: Welcome(time: 0, clientId: "viewer", iceServers: []),
      send: { sent.continuation.yield($0) }, messages: incoming.stream,
      close: { incoming.continuation.finish() })
  }
}

@Suite(.timeLimit(.minutes(1)))
struct ViewerLinkTests {
  private let connector = FakeConnector()

  private func next(_ events: inout AsyncStream<LinkEvent>.AsyncIterator) async throws -> LinkEvent {
    try #require(await events.next())
  }

  @Test func theLinkIsOpenedWhenSomebodyNeedsItAndSharedByAll() async throws {
    let link = ViewerLink(connector: connector)
    #expect(connector.attempts == 0)
    var one = link.subscribe().events.makeAsyncIterator()
    guard case .up = try await next(&one) else { return #expect(Bool(false), "not up") }
    var other = link.subscribe().events.makeAsyncIterator()
    guard case .up = try await next(&other) else { return #expect(Bool(false), "not up") }
    #expect(connector.attempts == 1)
    await link.close()
  }

  @Test func messagesGoOutInOrderAndComeToAll() async throws {
    let link = ViewerLink(connector: connector)
    var events = link.subscribe().events.makeAsyncIterator()
    _ = try await next(&events)
    var links = connector.links.makeAsyncIterator()
    let opened = try #require(await links.next())
    for number in 0..<50 { link.post(SignalMessage(.candidate, session: "\(number)", to: "O12345678")) }
    var sent = opened.sent.makeAsyncIterator()
    for number in 0..<50 {
      guard case .signal(let message) = await sent.next() else { return #expect(Bool(false), "no signal") }
      #expect(message.sessionId == "\(number)")
    }
    opened.incoming.yield(.signal(SignalMessage(.answer, session: "s", to: "viewer")))
    guard case .signal(let message) = try await next(&events) else {
      return #expect(Bool(false), "no signal")
    }
    #expect(message.action == .answer)
    await link.close()
  }

  @Test func aLinkThatBreaksIsMadeAgainForThoseWhoNeedIt() async throws {
    let link = ViewerLink(connector: connector)
    var events = link.subscribe().events.makeAsyncIterator()
    _ = try await next(&events)
    var links = connector.links.makeAsyncIterator()
    try #require(await links.next()).incoming.finish(throwing: OrielError(.platformUnreachable))
    guard case .down(let error) = try await next(&events) else { return #expect(Bool(false), "not down") }
    #expect(error.code == .platformUnreachable)
    guard case .up = try await next(&events) else { return #expect(Bool(false), "not up again") }
    await link.close()
  }

  @Test func aRefusedTokenIsNotTriedAgainUntilThereIsAnother() async throws {
    connector.refuse(with: OrielError(.accessTokenExpired))
    let link = ViewerLink(connector: connector)
    var events = link.subscribe().events.makeAsyncIterator()
    guard case .down(let error) = try await next(&events) else { return #expect(Bool(false), "not down") }
    #expect(error.code == .accessTokenExpired)
    #expect(connector.attempts == 1)
    connector.refuse(with: nil)
    link.tokenChanged()
    guard case .up = try await next(&events) else { return #expect(Bool(false), "not up") }
    await link.close()
  }

  @Test func aCheckOfALinkThatAnswersKeepsItAndOfADeadOneReplacesIt() async throws {
    let link = ViewerLink(connector: connector)
    var events = link.subscribe().events.makeAsyncIterator()
    _ = try await next(&events)
    var links = connector.links.makeAsyncIterator()
    let first = try #require(await links.next())
    link.check()
    first.incoming.yield(.signal(SignalMessage(.status, session: "check", to: "viewer")))
    guard case .signal = try await next(&events) else { return #expect(Bool(false), "no answer") }
    guard case .up = try await next(&events) else { return #expect(Bool(false), "not alive") }
    #expect(connector.attempts == 1)
    // Now nobody answers.
    link.check()
    guard case .up = try await next(&events) else { return #expect(Bool(false), "not replaced") }
    #expect(connector.attempts == 2)
    await link.close()
  }

  @Test func aClosedSessionEndsItsSubscribers() async throws {
    let link = ViewerLink(connector: connector)
    var events = link.subscribe().events.makeAsyncIterator()
    var watched = link.deviceEvents().makeAsyncIterator()
    _ = try await next(&events)
    await link.close()
    guard case .down(let error) = try await next(&events) else { return #expect(Bool(false), "not told") }
    #expect(error.code == .cancelled)
    #expect(await events.next() == nil)
    #expect(await watched.next() == nil)
  }

  @Test func theWaitsGrowToTwoSecondsAndNoFurther() {
    var backoff = Backoff()
    let waits = (0..<20).map { _ in backoff.next() }
    #expect(waits.allSatisfy { $0 <= .seconds(2) && $0 >= .milliseconds(125) })
    #expect(waits[0] <= .milliseconds(250))
    #expect(Set(waits.map { "\($0)" }).count > 10, "no jitter")
  }
}
