import Foundation
import Testing

@testable import OrielRTC

#if canImport(Glibc)
  import Glibc
#endif

/// What a peer behind a translating router learns from a STUN server.
@Suite struct ReflexiveTests {
  @Test @RTCActor func theAddressThatAServerSeesIsOffered() async throws {
    let server = try STUNServer(seeing: (192, 0, 2, 7), port: 40_404)
    let connection = try PeerConnection(
      PeerConfiguration(
        iceServers: [ICEServer(urls: ["stun:127.0.0.1:\(server.port)"])], includeLoopback: true))
    defer { connection.close() }
    var lines: [String] = []
    connection.onLocalCandidate = { line, _, _ in lines.append(line) }
    connection.addTransceiver(.video, direction: .receiveOnly)
    _ = try connection.createOffer()
    try await eventually { lines.last?.isEmpty == true }
    let reflexive = try lines.filter { $0.contains("typ srflx") }.map { try ICECandidate(parsing: $0) }
    #expect(reflexive.contains { $0.address == "192.0.2.7" && $0.port == 40_404 && $0.transport == .udp })
    withExtendedLifetime(server) {}
  }
}

/// Answers every binding request on a loopback port with one mapped address (RFC 8489 section 14.2).
private final class STUNServer {
  struct Failed: Error {}

  let port: UInt16
  private let source: any DispatchSourceRead

  init(seeing address: (UInt8, UInt8, UInt8, UInt8), port seenPort: UInt16) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    var own = sockaddr_in()
    own.sin_family = sa_family_t(AF_INET)
    own.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &own) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else {
      close(descriptor)
      throw Failed()
    }
    port = UInt16(bigEndian: own.sin_port)
    let cookie: [UInt8] = [0x21, 0x12, 0xA4, 0x42]
    let seen =
      [UInt8(seenPort >> 8) ^ cookie[0], UInt8(seenPort & 0xFF) ^ cookie[1]]
      + zip([address.0, address.1, address.2, address.3], cookie).map { $0 ^ $1 }
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor)
    source.setEventHandler { Self.answer(on: descriptor, mapped: [0, 0x20, 0, 8, 0, 1] + seen) }
    source.setCancelHandler { close(descriptor) }
    source.resume()
  }

  deinit { source.cancel() }

  private static func answer(on descriptor: Int32, mapped: [UInt8]) {
    var request = [UInt8](repeating: 0, count: 1500)
    var peer = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &peer) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        guard recvfrom(descriptor, &request, request.count, 0, $0, &length) >= 20, request[0] == 0,
          request[1] == 1
        else { return }
        let response = [0x01, 0x01, 0, UInt8(mapped.count)] + request[4..<20] + mapped
        sendto(descriptor, response, response.count, 0, $0, length)
      }
    }
  }
}
