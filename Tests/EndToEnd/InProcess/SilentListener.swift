import Foundation
import OrielModel

/// A port that takes connections and never says anything.
final class SilentListener {
  let port: UInt16
  private let socket: Int32

  init() throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let socket = socket
    let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, length) == 0 && listen(socket, 8) == 0 && getsockname(socket, $0, &length) == 0
      }
    }
    guard isOpen else { throw OrielError(.platformUnreachable) }
    port = UInt16(bigEndian: address.sin_port)
  }

  func close() { Glibc.close(socket) }
}
