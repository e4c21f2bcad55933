/// A message of a data channel (RFC 8831, section 8).
public enum DataChannelPayload: Sendable, Equatable {
  case text(String)
  case binary([UInt8])
}

/// One data channel (RFC 8831), both streams of the same number.
@RTCActor
public final class DataChannel {
  public enum State: Sendable, Equatable { case connecting, open, closing, closed }

  public nonisolated let label: String
  public nonisolated let isOrdered: Bool
  public internal(set) var state = State.connecting
  public var onOpen: (() -> Void)?
  public var onMessage: ((DataChannelPayload) -> Void)?
  /// Called once, after the last message.
  public var onClose: (() -> Void)?

  init(label: String, isOrdered: Bool) {
    self.label = label
    self.isOrdered = isOrdered
  }

  /// Queues a message. What is sent before the channel is open is kept and goes out first.
  /// - Throws: `RTCFailure.messageTooLarge` over 256 KiB, `.notOpen` after the end, `.bufferFull`.
  public func send(_ payload: DataChannelPayload) throws {}

  /// Bytes that wait to be sent.
  public var bufferedBytes: Int { 0 }

  /// Resets the streams (RFC 8831, section 6.7); `onClose` follows.
  public func close() {}
}
