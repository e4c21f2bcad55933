import OrielModel
import OrielNet

/// A WebSocket and what waits to be sent on it. Confined to the switchboard.
///
/// Nothing that happens on one link waits for another's slow reader: messages are queued, and a peer that lets
/// too many gather is cut off.
class Link {
  static let queueBytes = 2 << 20
  static let queueCount = 1_000

  let socket: WebSocket
  private var queue: [String] = []
  private var bytes = 0
  /// Whether a task is sending; there is none while nothing waits.
  var isSending = false
  private(set) var closeCode: UInt16?

  init(socket: WebSocket) { self.socket = socket }

  func append(_ text: String) {
    guard closeCode == nil else { return }
    guard bytes + text.utf8.count <= Self.queueBytes, queue.count < Self.queueCount else {
      queue = []
      bytes = 0
      closeCode = 1008
      return
    }
    queue.append(text)
    bytes += text.utf8.count
  }

  /// Closes after what is queued.
  func finish(_ code: UInt16) { closeCode = closeCode ?? code }

  func next() -> String? {
    guard !queue.isEmpty else { return nil }
    let text = queue.removeFirst()
    bytes -= text.utf8.count
    // An idle link keeps no memory.
    if queue.isEmpty { queue = [] }
    return text
  }

  func drop() {
    queue = []
    bytes = 0
  }
}

/// A device's link.
final class DeviceLink: Link {
  var state = DeviceLinkState()
  /// The account that has added the device.
  var owner: Int64?
  /// The device's address as the platform sees it.
  let address: String

  init(socket: WebSocket, address: String) {
    self.address = address
    super.init(socket: socket)
  }
}

/// A viewer's link.
final class ViewerLink: Link {
  var state = ViewerLinkState()
  let clientId: String
  var caller: Caller?

  init(socket: WebSocket, clientId: String) {
    self.clientId = clientId
    super.init(socket: socket)
  }
}
