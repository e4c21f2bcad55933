import CCurl
import CNetShims
import Foundation
import OrielModel

/// One request of curl's: its easy handle and what has come of the answer.
///
/// `@unchecked Sendable`: only the loop's thread touches it.
final class Transfer: @unchecked Sendable {
  /// Bytes that an answer's head may have.
  static let headLimit = 65_536

  let easy: UnsafeMutableRawPointer
  private var headerList: UnsafeMutablePointer<curl_slist>?
  private let maximumBody: Int
  private var head: [UInt8] = []
  private var body: [UInt8] = []
  private var isTooLarge = false
  private var continuation: CheckedContinuation<HTTPClientResponse, any Error>?

  struct Request: Sendable {
    var method: String
    var url: String
    var headers: HTTPHeaders
    var body: [UInt8]?
    var timeout: Duration
    var maximumBody: Int
    var pin: String?
  }

  init?(_ request: Request, _ continuation: CheckedContinuation<HTTPClientResponse, any Error>) {
    guard let easy = curl_easy_init() else { return nil }
    self.easy = easy
    maximumBody = request.maximumBody
    self.continuation = continuation
    configure(request)
  }

  deinit {
    curl_easy_cleanup(easy)
    curl_slist_free_all(headerList)
  }

  private func configure(_ request: Request) {
    let milliseconds = Int(request.timeout / .milliseconds(1))
    oriel_curl_set_string(easy, CURLOPT_URL, request.url)
    oriel_curl_set_string(easy, CURLOPT_CUSTOMREQUEST, request.method)
    oriel_curl_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
    oriel_curl_set_string(easy, CURLOPT_PROXY, "")
    oriel_curl_set_long(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    oriel_curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
    // Shorter than a server's patience with an idle connection, so that none is used as it closes.
    oriel_curl_set_long(easy, CURLOPT_MAXAGE_CONN, 45)
    oriel_curl_set_long(easy, CURLOPT_TIMEOUT_MS, max(1, milliseconds))
    oriel_curl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, max(1, min(milliseconds, 10_000)))
    oriel_curl_set_long(easy, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    if let pin = request.pin {
      // The key is compared with the pin instead of being vouched for by an authority.
      oriel_curl_set_long(easy, CURLOPT_SSL_VERIFYPEER, 0)
      oriel_curl_set_long(easy, CURLOPT_SSL_VERIFYHOST, 0)
      oriel_curl_set_string(easy, CURLOPT_PINNEDPUBLICKEY, pin)
    }
    if request.method == "HEAD" { oriel_curl_set_long(easy, CURLOPT_NOBODY, 1) }
    if let body = request.body {
      oriel_curl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
      body.withUnsafeBytes { bytes in
        let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress) ?? easy
        _ = oriel_curl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, start)
      }
    }
    for field in request.headers.fields where field.name.utf8.allSatisfy(FieldParser.isToken) {
      let isSound = field.value.utf8.allSatisfy(FieldParser.isValue)
      guard isSound else { continue }
      headerList = curl_slist_append(
        headerList, field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
    }
    headerList = curl_slist_append(headerList, "Expect:")
    if request.body != nil, request.headers["Content-Type"] == nil {
      headerList = curl_slist_append(headerList, "Content-Type:")
    }
    oriel_curl_set_list(easy, CURLOPT_HTTPHEADER, headerList)
    let context = Unmanaged.passUnretained(self).toOpaque()
    oriel_curl_set_pointer(easy, CURLOPT_WRITEDATA, context)
    oriel_curl_set_pointer(easy, CURLOPT_HEADERDATA, context)
    oriel_curl_set_pointer(easy, CURLOPT_PRIVATE, context)
    oriel_curl_set_write(easy, CURLOPT_WRITEFUNCTION, Self.onBody)
    oriel_curl_set_write(easy, CURLOPT_HEADERFUNCTION, Self.onHead)
  }

  private typealias Callback =
    @convention(c) (
      UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?
    ) -> Int

  private static let onBody: Callback = { bytes, size, count, context in
    guard let bytes, let context else { return 0 }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    guard transfer.body.count + size * count <= transfer.maximumBody else {
      transfer.isTooLarge = true
      return 0
    }
    transfer.body += UnsafeRawBufferPointer(start: bytes, count: size * count)
    return size * count
  }

  private static let onHead: Callback = { bytes, size, count, context in
    guard let bytes, let context else { return 0 }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    // After a 100 the head begins anew.
    if line.starts(with: "HTTP/".utf8) { transfer.head = [] }
    guard transfer.head.count + line.count <= headLimit else {
      transfer.isTooLarge = true
      return 0
    }
    transfer.head += line
    return line.count
  }

  // MARK: End

  func finish(_ result: CURLcode) {
    var status = 0
    oriel_curl_get_long(easy, CURLINFO_RESPONSE_CODE, &status)
    if result == CURLE_OK, let headers = parsedHeaders(), (200...599).contains(status) {
      continuation?.resume(returning: HTTPClientResponse(status: status, headers: headers, body: body))
    } else {
      continuation?.resume(throwing: failure(result))
    }
    continuation = nil
  }

  func fail(_ error: OrielError) {
    continuation?.resume(throwing: error)
    continuation = nil
  }

  private func parsedHeaders() -> HTTPHeaders? {
    guard let start = head.firstIndex(of: 0x0a) else { return nil }
    return head.withUnsafeBytes { try? FieldParser.parse($0, from: start + 1, maximum: 200) }
  }

  private func failure(_ result: CURLcode) -> OrielError {
    if isTooLarge { return OrielError(.platformAnswer, "the answer is too large") }
    let text = String(cString: curl_easy_strerror(result))
    switch result {
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH: return OrielError(.platformUntrusted)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR:
      return OrielError(.platformUntrusted, "no authority vouches for its certificate")
    case CURLE_OK, CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_PARTIAL_FILE,
      CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR:
      return OrielError(.platformAnswer, text)
    default: return OrielError(.platformUnreachable, text)
    }
  }
}
