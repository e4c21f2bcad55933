import Foundation
import OrielModel

extension Switchboard {
  /// Carries out what the state machine asks for, and waits for the store where that is needed.
  func perform(_ action: DeviceLinkState.Action, on link: DeviceLink) async {
    switch action {
    case .register(let hello): await register(hello, link)
    case .saveReport(let report):
      guard let serial = link.state.serial else { return }
      do {
        if try await store.saveReport(report, of: serial, at: time.wall()) { announce(.changed, link) }
      } catch { log.error("a report of \(serial) could not be kept: \(error)") }
    case .saveCover(let cameraNo, let jpeg): await saveCover(jpeg, of: cameraNo, link)
    case .grant(let request): await grant(request, link)
    default: act([action], on: link)
    }
  }

  /// Carries out actions that need no waiting.
  func act(_ actions: [DeviceLinkState.Action], on link: DeviceLink) {
    for action in actions {
      switch action {
      case .send(let message): send(message, on: link)
      case .admit: admit(link)
      case .finish(let result): finishCommand(result, from: link.state.serial)
      case .relay(let signal): deliver(signal, from: link)
      case .close(let code): close(link, code)
      case .leave: leave(link)
      case .register, .saveReport, .saveCover, .grant: break
      }
    }
  }

  private func register(_ hello: Hello, _ link: DeviceLink) async {
    let event: DeviceLinkState.Event
    do {
      if try await store.device(hello.serial) == nil {
        try await newcomers.spend(AttemptAddress.key(link.address))
      }
      link.owner = try await store.register(
        hello.serial, signingKey: [UInt8](Data(base64Encoded: hello.signingKey) ?? Data()),
        agreementKey: [UInt8](Data(base64Encoded: hello.agreementKey) ?? Data()), report: hello.report,
        at: time.wall())
      event = .registered
    } catch let error as OrielError {
      if error.code == .serialTaken { log.warning("another key asks for \(hello.serial)") }
      event = .refused(error.code)
    } catch {
      event = .refused(.serverError)
    }
    act(link.state.handle(event, at: time.uptime()), on: link)
  }

  private func admit(_ link: DeviceLink) {
    guard let serial = link.state.serial else { return }
    introduced(link)
    let former = devices.updateValue(link, forKey: serial)
    if let former {
      failCommands(of: serial)
      act(former.state.handle(.superseded(bootId: link.state.bootId), at: time.uptime()), on: former)
    }
    let now = time.wall()
    send(
      .welcome(
        Welcome(time: now, clientId: serial.value, iceServers: ice.records(for: serial.value, at: now))),
      on: link)
    log.info("\(serial) is online")
    announce(former == nil ? .online : .changed, link)
  }

  private func leave(_ link: DeviceLink) {
    guard let serial = link.state.serial, devices[serial] === link else { return }
    devices[serial] = nil
    failCommands(of: serial)
    log.info("\(serial) is offline")
    announce(.offline, link)
  }

  /// A picture that was asked for is the newest cover too.
  func saveCover(_ jpeg: [UInt8], of cameraNo: Int, on serial: DeviceSerial) async {
    if let link = devices[serial] { await saveCover(jpeg, of: cameraNo, link) }
  }

  private func saveCover(_ jpeg: [UInt8], of cameraNo: Int, _ link: DeviceLink) async {
    // A device that is nobody's has nobody to show a picture to.
    guard let serial = link.state.serial, let owner = link.owner else { return }
    do {
      try await pictures.saveCover(jpeg, of: cameraNo, on: serial)
      let isFirst = try await store.saveCoverTime(time.wall(), of: cameraNo, on: serial, owner: owner)
      if isFirst { announce(.changed, link) }
    } catch {
      log.error("a cover of \(serial) could not be kept: \(error)")
    }
  }

  /// May a recording be stored?
  private func grant(_ request: UploadRequest, _ link: DeviceLink) async {
    guard let serial = link.state.serial else { return }
    let answer =
      await uploads?.grant(request, to: serial, owner: link.owner)
      ?? UploadGrant(id: request.id, errorCode: ErrorCode.cloudUnsupported.rawValue)
    send(.uploadGrant(answer), on: link)
  }

  /// From a device to the viewer that its message names.
  private func deliver(_ signal: SignalMessage, from link: DeviceLink) {
    guard let serial = link.state.serial, devices[serial] === link else { return }
    guard let viewer = viewers[signal.recipientClientId], let owner = link.owner,
      viewer.caller?.account == owner
    else {
      guard signal.action != .sessionEnd, signal.action != .status else { return }
      send(DeviceLinkState.status(.sessionUnknown, about: signal), on: link)
      return
    }
    act(viewer.state.handle(.deliver(signal, from: serial), at: time.uptime()), on: viewer)
  }

  // MARK: News

  /// The device has another owner, or none. Sessions of the former one end.
  func ownerChanged(of serial: DeviceSerial, from former: Int64?, to owner: Int64?) {
    devices[serial]?.owner = owner
    if let former {
      for viewer in viewers(of: former) {
        act(viewer.state.handle(.deviceRemoved(serial), at: time.uptime()), on: viewer)
      }
      announce(.removed, serial, to: former)
    }
    if let owner { announce(.added, serial, to: owner) }
  }

  func announce(_ kind: DeviceEvent.Kind, _ serial: DeviceSerial, to account: Int64) {
    let event = LinkMessage.event(DeviceEvent(kind: kind, serial: serial, time: time.wall()))
    for viewer in viewers(of: account) { send(event, on: viewer) }
  }

  private func announce(_ kind: DeviceEvent.Kind, _ link: DeviceLink) {
    guard let serial = link.state.serial, let owner = link.owner else { return }
    announce(kind, serial, to: owner)
  }

  func viewers(of account: Int64) -> [ViewerLink] {
    viewersOfAccount[account]?.compactMap { viewers[$0] } ?? []
  }
}
