import Foundation
import OrielModel
import OrielNet

extension PlatformClient {
  /// Calls the platform's public interface, which the EZVIZ Open Platform describes: a form in, `code` and `data` out.
  /// - Parameter path: what stands behind `/api/lapp/`.
  /// - Throws: `OrielError` with the interface's number + 100,000; 730001...730003.
  func lapp<Answer: Decodable>(
    _ path: String, _ form: [(name: String, value: String)], timeout: Duration = .seconds(15),
    as type: Answer.Type
  ) async throws -> Answer {
    var fields = URLComponents()
    fields.queryItems = form.map { URLQueryItem(name: $0.name, value: $0.value) }
    var headers = HTTPHeaders()
    headers["Content-Type"] = "application/x-www-form-urlencoded"
    // A plus sign means a blank in a form, yet stands for itself in a URL's query.
    let body = (fields.percentEncodedQuery ?? "").replacingOccurrences(of: "+", with: "%2B")
    let response = try await http.send(
      method: "POST", path: "/api/lapp/\(path)", headers: headers, body: Array(body.utf8), timeout: timeout)
    guard let answer = try? JSONDecoder().decode(LappEnvelope<Answer>.self, from: Data(response.body)) else {
      throw OrielError(.platformAnswer)
    }
    guard answer.code == "200" else {
      throw OrielError(Int(answer.code).flatMap { ErrorCode(apiNumber: $0) } ?? .platformAnswer)
    }
    guard let data = answer.data else { throw OrielError(.platformAnswer) }
    return data
  }
}

private struct LappEnvelope<Answer: Decodable>: Decodable {
  var code: String
  var data: Answer?
}
