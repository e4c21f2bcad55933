import Foundation
import OrielCrypto
import OrielModel
import OrielNet
import Testing

@testable import OrielPlatform

@Suite struct S3Tests {
  /// The example of the documentation ("Example: GET Object").
  @Test func theSignatureIsThatOfTheDocumentation() {
    let signature = S3Signature(
      credentials: S3Credentials(
        accessKey: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
      region: "us-east-1")
    let request = S3Signature.Request(
      method: "GET", host: "examplebucket.s3.amazonaws.com", path: "/test.txt",
      headers: [("range", "bytes=0-9")], bodyDigest: Digest.sha256([]))
    let headers = signature.headers(for: request, at: 1_369_353_600)
    #expect(headers["x-amz-date"] == "20130524T000000Z")
    #expect(
      headers["Authorization"]
        == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
        + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,"
        + "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
  }

  @Test func aLocationIsReadAndNothingElse() throws {
    let one = try S3Location("s3://films@s3.example/cameras/oriel?region=eu-central-1")
    #expect(one.server.origin == "https://s3.example:443" && one.bucket == "films")
    #expect(one.prefix == "cameras/oriel/" && one.region == "eu-central-1")
    let two = try S3Location("s3+http://my-bucket@127.0.0.1:9000")
    #expect(two.server.origin == "http://127.0.0.1:9000" && two.prefix.isEmpty && two.region == "us-east-1")
    for text in [
      "", "s3://", "s3://host", "s3://ab@host", "s3://key:secret@host", "https://bucket@host",
      "s3+http://bucket@far.example", "s3://bucket@host/a b", "s3://bucket@host/../x",
      "s3://bucket@host?secret=x", "s3://Bu%20cket@host", "s3://bucket@host?region=a%2Fb",
    ] {
      #expect(throws: OrielError.self, "\(text)") { try S3Location(text) }
    }
  }

  @Test func credentialsAreTakenFromAPrivateFileOnly() throws {
    let path = FileManager.default.temporaryDirectory.path + "/oriel-credentials-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: path) }
    try PrivateFile.write(Array("AKIA\nvery secret\n".utf8), to: path)
    let credentials = try S3Credentials(contentsOfFile: path)
    #expect(credentials.accessKey == "AKIA" && credentials.secret == "very secret")
    #expect("\(credentials)" == "******" && !String(reflecting: credentials).contains("secret"))
    chmod(path, 0o640)
    #expect(throws: OrielError.self) { try S3Credentials(contentsOfFile: path) }
    try PrivateFile.write(Array("only one line\n".utf8), to: path)
    #expect(throws: OrielError.self) { try S3Credentials(contentsOfFile: path) }
    #expect(throws: OrielError.self) { try S3Credentials(contentsOfFile: path + ".none") }
  }

  private func failure(_ body: () async throws -> Void) async -> OrielError? {
    do {
      try await body()
      return nil
    } catch { return error as? OrielError }
  }

  @Test func theServerRefusesWhoHasNotTheSecret() async throws {
    let loop = try EventLoop.start(name: "test")
    let location = try await S3Server.shared.bucket(loop)
    func store(
      _ key: String = S3Server.credentials.accessKey, _ secret: String = S3Server.credentials.secret,
      late: Int64 = 0, at location: S3Location
    ) -> S3CloudStore {
      S3CloudStore(
        location: location, credentials: S3Credentials(accessKey: key, secret: secret), loop: loop,
        pause: .milliseconds(1)
      ) { Int64(Date().timeIntervalSince1970) + late }
    }
    try await store(at: location).check()
    let wrong = store(S3Server.credentials.accessKey, "another secret", at: location)
    let refused = await failure { try await wrong.check() }
    #expect(refused?.code == .cloudStore && refused?.detail?.contains("SignatureDoesNotMatch") == true)
    #expect(refused?.description.contains("another secret") == false)
    let unread = await failure { _ = try await wrong.read("x", 0..<1) }
    #expect(unread?.code == .cloudStore)
    let undeleted = await failure { try await wrong.delete("x") }
    #expect(undeleted?.code == .cloudStore)
    let stranger = await failure { try await store("test:nobody", at: location).check() }
    #expect(stranger?.code == .cloudStore)
    let late = await failure { try await store(late: -3_600, at: location).check() }
    #expect(late?.detail?.contains("RequestTimeTooSkewed") == true)
    let nowhere = try S3Location("s3+http://no-such-bucket@127.0.0.1:\(location.server.port)")
    let missing = await failure { try await store(at: nowhere).check() }
    #expect(missing?.detail?.contains("NoSuchBucket") == true)
    let gone = try S3Location("s3+http://bucket@127.0.0.1:9")
    let unreachable = await failure { _ = try await store(at: gone).size(of: "x") }
    #expect(unreachable?.code == .cloudStore)
    await loop.stop()
  }

  @Test func aPlatformKeepsItsRecordingsInABucket() async throws {
    let loop = try EventLoop.start(name: "test")
    let location = try await S3Server.shared.bucket(loop)
    let bucket = PlatformConfiguration.Cloud.Bucket(
      location: location, credentials: S3Server.credentials)
    try await UploadTests.withDevice(limits: .init(quota: 4_000_000, bucket: bucket)) { platform, device in
      let start = platform.clock.time.wall() - 600_000
      let stretch = TestStretch(size: 2_500_000, start: start)
      try await platform.upload(stretch, by: device)
      #expect(platform.keptFiles.isEmpty)
      let path = try #require(try await platform.cloudFiles().files.first?.downloadPath)
      let whole = try await platform.signed("GET", path)
      #expect(whole.status == 200 && whole.body == stretch.bytes)
      for (range, wanted) in [
        ("bytes=0-9", 0..<10), ("bytes=1000-", 1_000..<2_500_000), ("bytes=-7", 2_499_993..<2_500_000),
        ("bytes=1048570-2100000", 1_048_570..<2_100_001),
      ] {
        let part = try await platform.signed("GET", path, headers: ["Range": range])
        #expect(part.status == 206 && part.body == Array(stretch.bytes[wanted]), "\(range)")
      }
      #expect(try await platform.signed("GET", path, headers: ["Range": "bytes=2500000-"]).status == 416)
      let head = try await platform.signed("HEAD", path)
      #expect(head.status == 200 && head.headers["Content-Length"] == "2500000" && head.body.isEmpty)
      // The quota pushes it out, of the bucket too.
      try await platform.upload(TestStretch(size: 2_000_000, start: start + 60_000, seed: 2), by: device)
      await platform.server.cloud?.sweeper.sweep()
      #expect(try await platform.signed("GET", path).status == 404)
      let store = S3CloudStore(location: location, credentials: S3Server.credentials, loop: loop)
      let id = try #require(path.split(separator: "?").first?.split(separator: "/").last)
      #expect(try await store.size(of: String(id.dropLast(4))) == nil)
    }
    await loop.stop()
  }

  @Test func aPlatformWithAWrongSecretDoesNotStart() async throws {
    let loop = try EventLoop.start(name: "test")
    let location = try await S3Server.shared.bucket(loop)
    let folder = FileManager.default.temporaryDirectory.path + "/oriel-platform-" + UUID().uuidString
    var configuration = PlatformConfiguration(
      dataFolder: folder, listeners: [.init(host: "127.0.0.1", port: 0, isTLS: false)])
    configuration.cloud?.bucket = .init(
      location: location, credentials: S3Credentials(accessKey: "test:tester", secret: "wrong"))
    let server = PlatformServer(configuration: configuration)
    let refused = await failure { _ = try await server.start() }
    #expect(refused?.code == .cloudStore)
    await loop.stop()
    try? FileManager.default.removeItem(atPath: folder)
  }

  @Test func aBucketThatIsAwayLosesNothing() async throws {
    let bucket = PlatformConfiguration.Cloud.Bucket(
      location: try S3Location("s3+http://bucket@127.0.0.1:9"), credentials: S3Server.credentials)
    try await UploadTests.withDevice(limits: .init(bucket: bucket)) { platform, device in
      let stretch = TestStretch(size: 1_000, start: platform.clock.time.wall() - 600_000)
      let grant = try await device.ask(stretch.request)
      let answer = try await platform.patch(grant.path, at: 0, stretch.bytes)
      #expect(answer.status == 503 && answer.headers["Upload-Offset"] == "1000")
      #expect(try TestPlatform.number(answer) == 720_310)
      // All is here, and the camera will ask to have it completed.
      let again = try await device.ask(stretch.request)
      #expect(again.offset == 1_000 && again.isStored == false)
      #expect(try await platform.cloudFiles().files.isEmpty && platform.keptFiles.count == 1)
    }
  }
}
