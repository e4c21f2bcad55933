import Foundation

/// Writes the head of a response.
struct ResponseHead {
  private(set) var bytes: [UInt8] = []

  init(status: Int, headers: HTTPHeaders, date: String) {
    bytes.reserveCapacity(256)
    bytes += "HTTP/1.1 ".utf8
    bytes += "\(status)".utf8
    bytes.append(0x20)
    bytes += Self.reason(status).utf8
    bytes += "\r\nDate: ".utf8
    bytes += date.utf8
    bytes += "\r\n".utf8
    for field in headers.fields { add(field.name, field.value) }
  }

  /// A field whose name is no token is left out; a control character in a value becomes a space, so that no
  /// value can start another field.
  mutating func add(_ name: String, _ value: String) {
    guard !name.isEmpty, name.utf8.allSatisfy(FieldParser.isToken) else { return }
    bytes += name.utf8
    bytes += ": ".utf8
    for byte in value.utf8 { bytes.append(FieldParser.isValue(byte) ? byte : 0x20) }
    bytes += "\r\n".utf8
  }

  mutating func end() { bytes += "\r\n".utf8 }

  static func reason(_ status: Int) -> String {
    switch status {
    case 100: "Continue"
    case 101: "Switching Protocols"
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 204: "No Content"
    case 206: "Partial Content"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 415: "Unsupported Media Type"
    case 416: "Range Not Satisfiable"
    case 417: "Expectation Failed"
    case 426: "Upgrade Required"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    default: "Status"
    }
  }
}

/// Dates as HTTP writes them (RFC 9110 section 5.6.7).
enum HTTPDate {
  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  static func format(_ seconds: Int) -> String {
    var seconds = time_t(seconds)
    var parts = tm()
    guard gmtime_r(&seconds, &parts) != nil else { return "" }
    func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let day = days[Int(parts.tm_wday) % 7]
    let month = months[Int(parts.tm_mon) % 12]
    let time = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
    return "\(day), \(two(parts.tm_mday)) \(month) \(parts.tm_year + 1900) \(time) GMT"
  }
}
