import OrielModel
import OrielRTC
import Testing

@testable import OrielKit

struct RefusalTests {
  @Test func thePlatformsNumberIsTheErrorsNumber() {
    let body = Array(#"{"code":120018,"name":"x","message":"The device is not in this account"}"#.utf8)
    #expect(PlatformClient.error(status: 403, body: body) == OrielError(.notMyDevice))
  }

  @Test func aStrangersAnswerGetsANumberToo() {
    #expect(PlatformClient.error(status: 401, body: []).code == .accessTokenInvalid)
    #expect(PlatformClient.error(status: 502, body: Array("<html>".utf8)).code == .serverError)
    #expect(PlatformClient.error(status: 404, body: Array("{}".utf8)).code == .platformAnswer)
    #expect(PlatformClient.error(status: 400, body: Array(#"{"code":1}"#.utf8)).code == .platformAnswer)
  }

  @Test func everyFailureOfTheTransportHasANumber() {
    for failure in RTCFailure.allCases { #expect(OrielError(transport: failure).number > 100_000) }
  }

  @Test func callsWithoutATokenSaySo() async throws {
    let session = try Session(server: ServerAddress("http://127.0.0.1:9"), accessToken: nil)
    session.setAccessToken(nil)
    await #expect(throws: OrielError(.notSignedIn)) { try await session.devices() }
    await session.close()
  }
}
