import Foundation
import OrielModel
import OrielNet
import Testing

@testable import OrielPlatform

@Suite struct FormFieldsTests {
  private func fields(_ body: String, type: String = "application/x-www-form-urlencoded") async throws
    -> FormFields
  {
    try await FormFields(
      HTTPRequest(
        method: "POST", path: "/", query: [("a", "query"), ("q", "1")], headers: ["Content-Type": type],
        body: HTTPBody(Array(body.utf8))))
  }

  @Test func theBodyWinsAndBlanksAreForgiven() async throws {
    let fields = try await fields("a=%20body+x%20&b=&c")
    #expect(fields["a"] == "body x")
    #expect(fields["q"] == "1")
    #expect(fields["b"] == nil)
    #expect(fields["c"] == nil)
  }

  @Test(arguments: ["a=%", "a=%4", "a=%zz", "a=%ff", "%c3=1"])
  func malformedEscapesAreRefused(body: String) async {
    await #expect(throws: OrielError.self) { try await fields(body) }
  }

  @Test(arguments: [
    "", "--x", "--x--", "--x\r\n--x--", "--x\r\nContent-Disposition: form-data\r\n\r\nv\r\n--x--",
    "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nv\r\n--x",
    "--xContent-Disposition: form-data; name=\"a\"\r\n\r\nv\r\n--x--",
  ])
  func malformedPartsAreRefusedOrEmpty(body: String) async throws {
    let read = try? await fields(body, type: "multipart/form-data; boundary=x")
    #expect(read?["a"] == nil || read?["a"] == "query")
  }

  @Test func moreThanTheLimitIsRefused() async {
    await #expect(throws: OrielError.self) {
      try await fields(String(repeating: "a=1&", count: FormFields.fieldLimit + 1))
    }
    await #expect(throws: OrielError.self) {
      try await fields("a=" + String(repeating: "x", count: FormFields.bodyLimit))
    }
  }

  @Test func mutatedFormsNeverTrap() async {
    var random = SeededRandom(seed: 7)
    let form = Array(
      "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nv\r\n--x--\r\na=%41&b=%zz".utf8)
    var read = 0
    for _ in 0..<3_000 {
      let mutated = random.mutate(form)
      if (try? FormFields.multipart(mutated, type: "multipart/form-data; boundary=x")) != nil { read += 1 }
      if (try? FormFields.urlEncoded(mutated)) != nil { read += 1 }
    }
    #expect(read > 0)
  }
}
