import Foundation
import OrielModel
import Synchronization

/// Who listens to the data channel besides the player: the second manual's models.
struct ChannelObserver: Sendable {
  var isOpen = false
  var opened: (@Sendable (Bool) -> Void)?
  /// Messages that are not the player's own.
  var message: (@Sendable ([UInt8]) -> Void)?
  /// Binary messages: pieces of a file.
  var piece: (@Sendable ([UInt8]) -> Void)?
  /// The camera ended the session of its own accord.
  var ended: (@Sendable () -> Void)?
}

extension Player {
  /// Observes the data channel; calls come on the media loop and must return at once.
  package func onChannel(
    opened: (@Sendable (Bool) -> Void)?, message: (@Sendable ([UInt8]) -> Void)?,
    piece: (@Sendable ([UInt8]) -> Void)? = nil, ended: (@Sendable () -> Void)?
  ) {
    driver.channel.withLock {
      $0.opened = opened
      $0.message = message
      $0.piece = piece
      $0.ended = ended
    }
  }
}

extension Player {
  /// Sends a text on the data channel; it is lost while that is not open.
  package func send(onChannel text: String) { yield(.send(text)) }
}

extension DataChannelMessage {
  /// Nil when the bytes are another message.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= 65_536,
      let message = try? JSONDecoder().decode(DataChannelMessage.self, from: Data(bytes))
    else { return nil }
    self = message
  }

  var text: String? { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } }
}
