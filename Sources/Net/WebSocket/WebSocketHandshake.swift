import COpenSSL
import Foundation

/// The opening handshake's key (RFC 6455 section 4).
enum WebSocketHandshake {
  static func accept(for key: String) -> String {
    let text = [UInt8]((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
    var digest = [UInt8](repeating: 0, count: 20)
    EVP_Digest(text, text.count, &digest, nil, EVP_sha1(), nil)
    return Data(digest).base64EncodedString()
  }

  static func makeKey() -> String {
    var bytes = [UInt8](repeating: 0, count: 16)
    RAND_bytes(&bytes, 16)
    return Data(bytes).base64EncodedString()
  }

  /// What a server answers to a request that wants a WebSocket: the value of Sec-WebSocket-Accept.
  static func answer(to request: HTTPRequest) throws(HTTPRefusal) -> String {
    let headers = request.headers
    guard headers.contains("websocket", in: "Upgrade"), headers.contains("upgrade", in: "Connection") else {
      throw HTTPRefusal(426, "this is a WebSocket")
    }
    guard headers["Sec-WebSocket-Version"] == "13" else { throw HTTPRefusal(426, "version 13 is spoken") }
    let keys = headers.values(of: "Sec-WebSocket-Key")
    guard request.method == "GET", keys.count == 1, Data(base64Encoded: keys[0])?.count == 16 else {
      throw .malformed("Sec-WebSocket-Key is malformed")
    }
    return accept(for: keys[0])
  }
}
