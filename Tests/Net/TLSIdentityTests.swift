import Foundation
import OrielModel
import OrielNet
import Testing

@Suite("TLS identities and server addresses")
struct TLSIdentityTests {
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "oriel-tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
  }

  @Test("The key is made once, private, and survives a change of names")
  func generate() throws {
    try withFolder { folder in
      let first = try TLSIdentity.generate(in: folder, names: ["localhost"])
      let mode = try FileManager.default.attributesOfItem(atPath: folder + "/tls.key")[.posixPermissions]
      #expect(mode as? Int == 0o600)
      let certificate = try Data(contentsOf: URL(filePath: folder + "/tls.crt"))
      let second = try TLSIdentity.generate(in: folder, names: ["localhost"])
      #expect(try Data(contentsOf: URL(filePath: folder + "/tls.crt")) == certificate)
      let third = try TLSIdentity.generate(in: folder, names: ["localhost", "cam.lan", "192.168.1.9", "::1"])
      #expect(try Data(contentsOf: URL(filePath: folder + "/tls.crt")) != certificate)
      #expect(first.fingerprint == second.fingerprint && first.fingerprint == third.fingerprint)
      #expect(first.fingerprint.hasPrefix("sha256//") && first.fingerprint.utf8.count == 52)
    }
  }

  @Test("The fingerprint is the one that openssl computes")
  func fingerprint() throws {
    try withFolder { folder in
      let identity = try TLSIdentity.generate(in: folder, names: ["localhost"])
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = [
        "-c",
        "openssl x509 -in '\(folder)/tls.crt' -pubkey -noout | openssl pkey -pubin -outform der "
          + "| openssl dgst -sha256 -binary | openssl base64",
      ]
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(identity.fingerprint == "sha256//" + text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
  }

  @Test("What is no identity is error 730010, a name that is none 400002")
  func failures() throws {
    try withFolder { folder in
      #expect { try TLSIdentity.load(certificateFile: folder + "/x", keyFile: folder + "/y") } throws: {
        ($0 as? OrielError)?.code == .dataFolder
      }
      try Data("rubbish".utf8).write(to: URL(filePath: folder + "/tls.key"))
      #expect { try TLSIdentity.generate(in: folder, names: ["localhost"]) } throws: {
        ($0 as? OrielError)?.code == .dataFolder
      }
      #expect { try TLSIdentity.generate(in: folder + "/none", names: ["localhost"]) } throws: {
        ($0 as? OrielError)?.code == .dataFolder
      }
    }
  }

  @Test(
    "Sound addresses are taken",
    arguments: [
      "http://127.0.0.1:7080", "http://[::1]:7080", "http://localhost:7080", "https://cam.lan:7443",
      "https://[fd00::1]:7443#sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
    ])
  func addresses(text: String) throws {
    let address = try ServerAddress(text)
    #expect(address.description == text)
    #expect(try JSONDecoder().decode(ServerAddress.self, from: JSONEncoder().encode(address)) == address)
  }

  @Test(
    "Others are error 400002",
    arguments: [
      "", "127.0.0.1:7080", "ftp://127.0.0.1", "http://cam.lan:7080", "http://128.0.0.1",
      "http://127.0.0.1.evil.org",
      "https://user:secret@host", "https://host/path", "https://host?x=1", "https://host#sha256//short",
      "https://host#md5//AAAA", "https://host:0", "https://host:99999", "https://",
      "http://127.0.0.1#sha256//AA",
    ])
  func badAddresses(text: String) {
    #expect { try ServerAddress(text) } throws: { ($0 as? OrielError)?.code == .argumentError }
  }
}
