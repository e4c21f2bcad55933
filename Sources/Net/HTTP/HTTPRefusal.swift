/// Why a request is not served: what is answered before the connection is closed.
struct HTTPRefusal: Error, Equatable {
  let status: Int
  let reason: String

  init(_ status: Int, _ reason: String) {
    self.status = status
    self.reason = reason
  }

  static func malformed(_ reason: String) -> HTTPRefusal { HTTPRefusal(400, reason) }
}
