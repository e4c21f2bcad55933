import OrielModel
import OrielRTC

/// One session's part in talk: what its viewer asks for and sends, and whether it may.
@RTCActor
final class TalkSeat {
  private let line: TalkLine?
  private let isAllowed: Bool
  private weak var peer: (any ViewerPeer)?
  private var number: Int?

  /// - Parameters:
  ///   - line: of the session's camera; nil: it has no talk.
  ///   - isAllowed: whether the platform says that this viewer may talk.
  init(line: TalkLine?, isAllowed: Bool) {
    self.line = line
    self.isAllowed = isAllowed
  }

  /// Whether the peer connection is to take sound.
  var isOpen: Bool { line != nil && isAllowed }

  func start(on peer: any ViewerPeer) {
    self.peer = peer
    guard isOpen else { return }
    number = line?.join { [weak self] in self?.peer?.send($0) }
  }

  func take(_ event: ViewerPeerEvent) {
    switch event {
    case .talk(let message):
      guard let line, let number else { return refuse(message) }
      line.take(message.action, from: number)
    case .voice(let packet, let timestamp):
      if let number { line?.take(packet, timestamp: timestamp, from: number) }
    default: break
    }
  }

  func stop() {
    if let number { line?.leave(number) }
    number = nil
    peer = nil
  }

  private func refuse(_ message: TalkMessage) {
    guard message.action == .start else { return }
    let code: ErrorCode = line == nil ? .talkUnsupported : .noPermission
    peer?.send(TalkMessage(.ended, errorCode: code.rawValue))
  }
}
