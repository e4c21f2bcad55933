/// The way to the peer through whichever ICE session carries at the time. A restart gathers anew in a
/// second session, and the first one carries on until the second has found a pair.
@RTCActor
final class PeerPath: DatagramPath {
  /// DTLS datagrams kept while there is no pair; a flight is four at most.
  private static let maximumWaiting = 16

  private(set) var current: (any ICEAgent)?
  private(set) var datagramsSent: UInt64 = 0
  private(set) var bytesSent: UInt64 = 0
  private var waiting: [[UInt8]] = []

  var isWritable: Bool { current?.selectedPair != nil }

  func send(_ bytes: UnsafeRawBufferPointer, segmentSize: Int) {
    guard let current, segmentSize > 0 else { return }
    datagramsSent &+= UInt64((bytes.count + segmentSize - 1) / segmentSize)
    bytesSent &+= UInt64(bytes.count)
    current.send(bytes, segmentSize: segmentSize)
  }

  /// As `send`, but what comes before there is a pair is kept.
  func sendOrKeep(_ datagram: UnsafeRawBufferPointer) {
    if isWritable {
      send(datagram, segmentSize: datagram.count)
    } else if waiting.count < Self.maximumWaiting {
      waiting.append(Array(datagram))
    }
  }

  /// Sends over `agent` from now on; gives back the one before, to be closed.
  func carry(over agent: any ICEAgent) -> (any ICEAgent)? {
    guard agent !== current else {
      flush()
      return nil
    }
    let before = current
    current = agent
    flush()
    return before
  }

  func close() {
    current?.close()
    current = nil
    waiting = []
  }

  private func flush() {
    guard isWritable else { return }
    let datagrams = waiting
    waiting = []
    for datagram in datagrams { datagram.withUnsafeBytes { send($0, segmentSize: $0.count) } }
  }
}
