import Foundation

/// A plain blocking socket, to stop where no client would.
final class RawConnection: Sendable {
  private let descriptor: Int32

  struct Failure: Error {}

  init(port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let failed = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) != 0
      }
    }
    if failed { throw Failure() }
  }

  deinit { Foundation.close(descriptor) }

  func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard sent > 0 else { return }
      rest = rest.dropFirst(sent)
    }
  }

  /// No more comes, and nothing is read any more.
  func close() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// What comes until `enough` says so or the server closes.
  func receive(until enough: @escaping @Sendable (String) -> Bool) async -> String {
    await withCheckedContinuation { continuation in
      // A thread of its own: a pool could be full of such waits.
      Thread { [self] in
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !enough(String(decoding: bytes, as: UTF8.self)) {
          let count = recv(descriptor, &buffer, buffer.count, 0)
          if count <= 0 { break }
          bytes += buffer[0..<count]
        }
        continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
      }.start()
    }
  }
}
