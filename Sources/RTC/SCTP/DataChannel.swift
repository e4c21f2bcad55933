/// A message of a data channel (RFC 8831, section 8).
public enum DataChannelPayload: Sendable, Equatable {
  case text(String)
  case binary([UInt8])
}

/// One data channel (RFC 8831), both streams of the same number.
@RTCActor
public final class DataChannel {
  public enum State: Sendable, Equatable { case connecting, open, closing, closed }

  /// The largest message, bytes.
  public nonisolated static let maximumMessage = 262_144
  /// Bytes that may wait to be sent.
  public nonisolated static let maximumBuffered = 4_194_304

  public nonisolated let label: String
  public nonisolated let isOrdered: Bool
  public internal(set) var state = State.connecting
  public var onOpen: (() -> Void)?
  public var onMessage: ((DataChannelPayload) -> Void)?
  /// Called once, after the last message.
  public var onClose: (() -> Void)?

  weak var association: SCTPAssociation?
  /// The number of both streams, once it is known.
  var stream: UInt16?
  /// Before the peer has acknowledged the opening, even an unordered channel keeps the order
  /// (RFC 8832, section 6).
  var isAcknowledged = false
  var hasResetOutgoing = false
  var hasSeenIncomingReset = false
  /// Messages that wait for the channel to be open or for room.
  var queue: [(bytes: [UInt8], ppid: UInt32)] = []
  var queuedBytes = 0

  init(label: String, isOrdered: Bool) {
    self.label = label
    self.isOrdered = isOrdered
  }

  /// Queues a message. What is sent before the channel is open is kept and goes out first.
  /// - Throws: `RTCFailure.messageTooLarge` over `maximumMessage`, `.notOpen` after the end, `.bufferFull`.
  public func send(_ payload: DataChannelPayload) throws(RTCFailure) {
    guard state == .connecting || state == .open else { throw .notOpen }
    let bytes: [UInt8]
    let ppid: UInt32
    switch payload {
    case .text(let text):
      bytes = Array(text.utf8)
      ppid = bytes.isEmpty ? PayloadProtocol.emptyText : PayloadProtocol.text
    case .binary(let binary):
      bytes = binary
      ppid = bytes.isEmpty ? PayloadProtocol.emptyBinary : PayloadProtocol.binary
    }
    guard bytes.count <= Self.maximumMessage else { throw .messageTooLarge }
    guard queuedBytes + bytes.count <= Self.maximumBuffered else { throw .bufferFull }
    // SCTP carries no empty message: one byte stands for it.
    queue.append((bytes.isEmpty ? [0] : bytes, ppid))
    queuedBytes += bytes.count
    association?.sendQueued(self)
  }

  /// Bytes that wait to be sent.
  public var bufferedBytes: Int { queuedBytes }

  /// Sends what waits, then resets the streams (RFC 8831, section 6.7); `onClose` follows.
  public func close() {
    guard state == .connecting || state == .open else { return }
    state = .closing
    if let association { association.beginClosing(self) } else { finish() }
  }

  /// Over, for whatever reason.
  func finish() {
    guard state != .closed else { return }
    state = .closed
    queue = []
    queuedBytes = 0
    let handler = onClose
    onOpen = nil
    onMessage = nil
    onClose = nil
    handler?()
  }
}
