import CEvent
import Dispatch
import Foundation
import OrielModel

/// An address as the kernel takes it.
struct ResolvedAddress: Sendable {
  private let bytes: [UInt8]

  init(_ pointer: UnsafePointer<sockaddr>, length: Int) {
    bytes = [UInt8](UnsafeRawBufferPointer(start: pointer, count: length))
  }

  /// nil when `body` gives nil.
  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, Int32) -> Result?) -> Result? {
    bytes.withUnsafeBytes { buffer in
      buffer.baseAddress.flatMap { body($0.assumingMemoryBound(to: sockaddr.self), Int32(buffer.count)) }
    }
  }

  /// Numeric host and port.
  var socketAddress: SocketAddress {
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    var service = [CChar](repeating: 0, count: 32)
    let result: Int32? = withPointer { pointer, length in
      getnameinfo(
        pointer, socklen_t(length), &host, socklen_t(host.count), &service, 32,
        NI_NUMERICHOST | NI_NUMERICSERV)
    }
    guard result == 0 else { return SocketAddress(host: "", port: 0) }
    func text(_ characters: [CChar]) -> String {
      String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    return SocketAddress(host: text(host), port: UInt16(text(service)) ?? 0)
  }

  /// The address that a bound socket has.
  static func local(of descriptor: Int32) -> ResolvedAddress? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        getsockname(descriptor, address, &length) == 0
          ? ResolvedAddress(address, length: Int(length)) : nil
      }
    }
  }

  /// Looks a name up; numeric addresses cost nothing. It may wait for the network.
  static func resolve(_ host: String, port: UInt16, passive: Bool = false) -> [ResolvedAddress] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_NUMERICSERV | (passive ? AI_PASSIVE : 0)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "\(port)", &hints, &list) == 0 else { return [] }
    defer { freeaddrinfo(list) }
    var addresses: [ResolvedAddress] = []
    var next = list
    while let entry = next?.pointee {
      if let address = entry.ai_addr {
        addresses.append(ResolvedAddress(address, length: Int(entry.ai_addrlen)))
      }
      next = entry.ai_next
    }
    return addresses
  }

  /// As `resolve`, on another thread.
  static func lookUp(_ host: String, port: UInt16) async -> [ResolvedAddress] {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: resolve(host, port: port)) }
    }
  }
}
