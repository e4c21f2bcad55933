/// What stands at one index of the descriptions. Indices never change their place.
struct PeerSection {
  enum Content {
    case media(Transceiver)
    case application
    case refused
  }

  var content: Content
  /// nil: the peer's offer gave none.
  var mid: String?
  /// The section as the peer wrote it, for refusing in the same words.
  var remote: MediaDescription?

  var isRefused: Bool {
    if case .refused = content { return true }
    return false
  }
}
