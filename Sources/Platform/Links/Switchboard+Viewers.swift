import OrielModel

extension Switchboard {
  /// Carries out what the state machine asks for, and waits for the store where that is needed.
  func perform(_ action: ViewerLinkState.Action, on link: ViewerLink) async {
    switch action {
    case .authenticate(let token): await authenticate(token, link)
    case .relay(let signal, let serial): await relay(signal, to: serial, from: link)
    default: act([action], on: link)
    }
  }

  /// Carries out actions that need no waiting.
  func act(_ actions: [ViewerLinkState.Action], on link: ViewerLink) {
    for action in actions {
      switch action {
      case .send(let message): send(message, on: link)
      case .end(let signal, let serial):
        // A device that was sold must not hear of its former owner's sessions; it has ended them itself.
        guard let device = devices[serial] else { continue }
        send(.signal(signal), on: device)
      case .bounce(let signal, let code, let serial):
        guard let device = devices[serial] else { continue }
        send(DeviceLinkState.status(code, about: signal), on: device)
      case .close(let code): close(link, code)
      case .leave: leave(link)
      case .authenticate, .relay: break
      }
    }
  }

  private func authenticate(_ token: String, _ link: ViewerLink) async {
    let event: ViewerLinkState.Event
    do {
      let caller = try await gatekeeper.caller(token: token)
      link.caller = caller
      let now = time.wall()
      event = .authenticated(
        Welcome(time: now, clientId: link.clientId, iceServers: ice.records(for: link.clientId, at: now)))
    } catch let error as OrielError {
      event = .refused(error.code)
    } catch {
      event = .refused(.serverError)
    }
    introduced(link)
    act(link.state.handle(event, at: time.uptime()), on: link)
    guard link.state.phase == .serving, let account = link.caller?.account else { return }
    viewers[link.clientId] = link
    viewersOfAccount[account, default: []].insert(link.clientId)
  }

  private func leave(_ link: ViewerLink) {
    viewers[link.clientId] = nil
    guard let account = link.caller?.account else { return }
    viewersOfAccount[account]?.remove(link.clientId)
    if viewersOfAccount[account]?.isEmpty == true { viewersOfAccount[account] = nil }
  }

  /// From a viewer to a device of its account.
  private func relay(_ signal: SignalMessage, to serial: DeviceSerial, from link: ViewerLink) async {
    guard let caller = link.caller else { return }
    if let device = devices[serial], device.owner == caller.account {
      var signal = signal
      if signal.action == .offer {
        signal.iceServers = ice.records(for: serial.value, at: time.wall())
        // Who owns a device may talk with it.
        signal.mayTalk = true
      }
      send(.signal(signal), on: device)
      return
    }
    // Another's device and one that does not exist look the same.
    let isMine = (try? await store.device(serial))??.owner == caller.account
    let code: ErrorCode = isMine ? .deviceOffline : .notMyDevice
    act(link.state.handle(.undeliverable(signal, code), at: time.uptime()), on: link)
  }

  /// Ends the links that were opened with a token.
  func signedOut(_ caller: Caller) {
    for link in viewers(of: caller.account) where link.caller?.tokenHash == caller.tokenHash {
      act(link.state.handle(.tokenEnded(.accessTokenInvalid), at: time.uptime()), on: link)
    }
  }
}
