import Foundation
import OrielModel
import OrielNet
import Testing

@testable import OrielPlatform

@Suite struct LappTests {
  private func application(_ platform: TestPlatform) throws -> [String: String] {
    let file = try #require(platform.addresses.firstStart).applicationFile
    return try JSONDecoder().decode([String: String].self, from: Data(contentsOf: URL(fileURLWithPath: file)))
  }

  @Test func tokensHaveTheManualsFormAndLastAWeek() async throws {
    try await TestPlatform.run { platform in
      let application = try application(platform)
      let answer = try await platform.rawLapp("token/get", body: TestPlatform.form(application))
      #expect(answer["code"] as? String == "200")
      #expect(answer["msg"] as? String == "Operation succeeded")
      let data = try #require(answer["data"] as? [String: Any])
      let token = try #require(data["accessToken"] as? String)
      #expect(token.wholeMatch(of: /at\.[a-z0-9]{32}-[a-z0-9]{10}-[a-z0-9]{7}-[a-z0-9]{9}/) != nil)
      #expect((data["expireTime"] as? NSNumber)?.int64Value == 1_700_604_800_000)
      #expect(data["areaDomain"] as? String == platform.address.origin)

      let list = try await platform.lapp("device/list", [:], token: token)
      #expect(list["code"] as? String == "200")
      platform.clock.advance(.seconds(7 * 86_400 + 1))
      #expect(try await platform.lapp("device/list", [:], token: token)["code"] as? String == "10002")
      #expect(try await platform.failure("GET", "/v1/me", token: token) == (401, 110_003))
    }
  }

  @Test(arguments: [
    (["appKey": "none", "appSecret": "none"], "10017"), (["appKey": "none"], "10001"), ([:], "10001"),
  ])
  func tokenGetNamesWhatIsWrong(fields: [String: String], code: String) async throws {
    try await TestPlatform.run { platform in
      let answer = try await platform.rawLapp("token/get", body: TestPlatform.form(fields))
      #expect(answer["code"] as? String == code)
      #expect(answer["data"] == nil)
      var right = try application(platform)
      right["appSecret"] = "wrong"
      let mismatch = try await platform.rawLapp("token/get", body: TestPlatform.form(right))
      #expect(mismatch["code"] as? String == "10030")
    }
  }

  @Test func parametersComeFromQueryFormAndMultipart() async throws {
    try await TestPlatform.run { platform in
      let token = platform.token
      let query = try await platform.rawLapp(
        "device/list", query: [("accessToken", token), ("pageSize", "7")], body: [])
      #expect((query["page"] as? [String: Int]) == ["total": 0, "page": 0, "size": 7])
      let mixed = try await platform.rawLapp(
        "device/list", query: [("accessToken", token)], body: TestPlatform.form(["pageStart": "2"]))
      #expect((mixed["page"] as? [String: Int]) == ["total": 0, "page": 2, "size": 10])
      let parts = [("accessToken", token), ("pageSize", "5")].map { name, value in
        "--xyz\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
      }.joined()
      let multipart = try await platform.rawLapp(
        "device/list", type: "multipart/form-data; boundary=xyz", body: Array((parts + "--xyz--\r\n").utf8))
      #expect((multipart["page"] as? [String: Int])?["size"] == 5)
      let json = try await platform.rawLapp("device/list", type: "application/json", body: Array("{}".utf8))
      #expect(json["code"] as? String == "10001")
      let bad = try await platform.lapp("device/list", ["pageSize": "51"])
      #expect(bad["code"] as? String == "10001")
    }
  }

  @Test func everyCallAnswersAsTheManualSays() async throws {
    try await TestPlatform.run { platform in
      let device = try await platform.device(serial: "O12345678", cameras: 2)
      func code(_ call: String, _ fields: [String: String]) async throws -> String? {
        try await platform.lapp(call, fields)["code"] as? String
      }
      let serial = ["deviceSerial": "O12345678"]
      #expect(
        try await code("device/add", ["deviceSerial": "O12345678", "validateCode": "ZZZZZZ"]) == "20010")
      #expect(try await code("device/add", ["deviceSerial": "O12345678", "validateCode": "12"]) == "20010")
      #expect(
        try await code("device/add", ["deviceSerial": "O00000000", "validateCode": "ABCDEF"]) == "20002")
      #expect(
        try await code("device/add", ["deviceSerial": "nonsense", "validateCode": "ABCDEF"]) == "20014")
      #expect(try await code("device/add", ["deviceSerial": "O12345678", "validateCode": "ABCDEF"]) == "200")
      #expect(
        try await code("device/add", ["deviceSerial": "O12345678", "validateCode": "ABCDEF"]) == "20017")

      let list = try await platform.lapp("device/list", [:])
      #expect(list["page"] as? [String: Int] == ["total": 1, "page": 0, "size": 10])
      let listed = try #require((list["data"] as? [[String: Any]])?.first)
      #expect(listed["deviceSerial"] as? String == "O12345678")
      #expect(listed["deviceName"] as? String == "Door")
      #expect(listed["deviceType"] as? String == "oriel-agent")
      #expect(listed["status"] as? Int == 1)
      #expect(listed["defence"] as? Int == 0)
      #expect(listed["deviceVersion"] as? String == "0.1.0")
      let cursor = try await platform.lapp("device/list", ["id": listed["id"] as? String ?? ""])
      #expect((cursor["data"] as? [Any])?.count == 0)

      let info = try #require(try await platform.lapp("device/info", serial)["data"] as? [String: Any])
      #expect(info["model"] as? String == "oriel-agent")
      #expect(info["isEncrypt"] as? Int == 0)
      #expect(info["offlineNotify"] as? Int == 0)
      #expect(info["timeZone"] == nil)
      let utc = try await platform.lapp("device/info", ["deviceSerial": "O12345678", "version": "utc"])
      #expect((utc["data"] as? [String: Any])?["timeZone"] as? String == "UTC+00:00")

      let cameras = try await platform.lapp("camera/list", ["pageSize": "1", "pageStart": "1"])
      #expect(cameras["page"] as? [String: Int] == ["total": 2, "page": 1, "size": 1])
      let camera = try #require((cameras["data"] as? [[String: Any]])?.first)
      #expect(camera["channelNo"] as? Int == 2)
      #expect(camera["isShared"] as? String == "0")
      #expect(camera["videoLevel"] as? Int == 2)
      #expect(camera["picUrl"] as? String == "")
      let ofDevice = try await platform.lapp("device/camera/list", serial)["data"] as? [[String: Any]]
      #expect(ofDevice?.count == 2)
      #expect(ofDevice?.first?["relatedIpc"] as? Bool == false)

      let status = try #require(
        try await platform.lapp("device/status/get", serial)["data"] as? [String: Any])
      #expect(status["battryStatus"] as? Int == -1)
      #expect(status["diskNum"] as? Int == 0)
      #expect(status["cloudStatus"] as? Int == 1)
      #expect(
        try await code("device/status/get", ["deviceSerial": "O12345678", "channelNo": "9"]) == "20001")

      #expect(
        try await code("device/name/update", ["deviceSerial": "O12345678", "deviceName": "Tür"]) == "200")
      #expect(
        try await code("device/name/update", ["deviceSerial": "O12345678", "deviceName": "<b>"]) == "10001")
      let named = try await platform.lapp("device/info", serial)["data"] as? [String: Any]
      #expect(named?["deviceName"] as? String == "Tür")
      #expect(named?["localName"] as? String == "Door")

      let capture = try await platform.lapp(
        "device/capture", ["deviceSerial": "O12345678", "channelNo": "1"])
      let picture = try #require((capture["data"] as? [String: Any])?["picUrl"] as? String)
      #expect(picture.hasPrefix(platform.address.origin + "/v1/captures/"))
      let url = try #require(URLComponents(string: picture))
      let query = (url.queryItems ?? []).map { (name: $0.name, value: $0.value ?? "") }
      let fetched = try await platform.v1("GET", url.path, token: "", query: query)
      #expect(fetched.status == 200)
      #expect(fetched.body == TestDevice.jpeg)
      #expect(fetched.headers["Content-Type"] == "image/jpeg")
      platform.clock.advance(.seconds(2 * 3600 + 1))
      #expect(try await platform.v1("GET", url.path, token: "", query: query).status == 403)

      await device.close()
      #expect(try await code("device/delete", serial) == "200")
      #expect(try await code("device/delete", serial) == "20018")
      #expect(try await code("device/info", serial) == "20018")
      #expect(
        try await code("device/add", ["deviceSerial": "O12345678", "validateCode": "ABCDEF"]) == "20007")
    }
  }

  @Test func badTokensAndUnknownCallsAreRefused() async throws {
    try await TestPlatform.run { platform in
      for token in ["", "at.nonsense", String(platform.token.dropLast()) + "?"] {
        let answer = try await platform.lapp("device/list", [:], token: token)
        #expect(answer["code"] as? String == (token.isEmpty ? "10001" : "10002"))
      }
      let unknown = try await platform.client.send(method: "POST", path: "/api/lapp/no/such")
      #expect(unknown.status == 404)
      let get = try await platform.client.send(method: "GET", path: "/api/lapp/device/list")
      #expect(get.status == 405)
    }
  }
}
