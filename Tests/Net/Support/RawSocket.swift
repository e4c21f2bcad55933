import Foundation

/// A plain blocking socket, to send what no client would.
final class RawSocket: Sendable {
  let descriptor: Int32

  struct Failure: Error {}

  init(port: UInt16, receiveBuffer: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var size = receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4) }
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
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

  deinit { close(descriptor) }

  /// How many bytes the kernel took.
  @discardableResult
  func send(_ text: String) -> Int { send([UInt8](text.utf8)) }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Int { Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

  func endOutput() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// What comes until the server closes, or until `enough` says so.
  func receive(until enough: @escaping @Sendable (String) -> Bool = { _ in false }) async -> String {
    await withCheckedContinuation { continuation in
      // A thread of its own: a pool could be full of such waits.
      let thread = Thread { [self] in
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
          let count = recv(descriptor, &buffer, buffer.count, 0)
          if count <= 0 { break }
          bytes += buffer[0..<count]
          if enough(String(decoding: bytes, as: UTF8.self)) { break }
        }
        continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
      }
      thread.start()
    }
  }

  /// Sends a whole request and gives what is answered until the server closes.
  static func exchange(_ text: String, port: UInt16) async throws -> String {
    let socket = try RawSocket(port: port)
    socket.send(text)
    return await socket.receive()
  }
}
