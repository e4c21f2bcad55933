import Foundation
import OrielCrypto
import OrielModel

/// Who the device is, for ever: serial, verification code, and the two private keys.
struct DeviceIdentity: Sendable {
  let serial: DeviceSerial
  let code: VerificationCode
  let signingKey: SigningKey
  let agreementKey: AgreementKey

  /// A new identity from the system's randomness.
  static func make() throws -> DeviceIdentity {
    var generator = SystemRandomNumberGenerator()
    return DeviceIdentity(
      serial: .random(using: &generator), code: .random(using: &generator), signingKey: try SigningKey(),
      agreementKey: try AgreementKey())
  }
}

/// The identity as it stands in its file.
private struct IdentityRecord: Codable {
  var version: Int
  var serial: DeviceSerial
  var verificationCode: String
  var signingKey: Data
  var agreementKey: Data
}

extension DeviceIdentity {
  /// The largest file that is read, in bytes.
  static let sizeLimit = 4096

  /// Reads the file's content.
  /// - Throws: `OrielError` 730010 when it is damaged.
  init(fileContent data: Data) throws {
    guard data.count <= Self.sizeLimit,
      let record = try? JSONDecoder().decode(IdentityRecord.self, from: data)
    else { throw OrielError(.dataFolder, "identity.json is damaged; restore it from a copy") }
    guard record.version == 1 else {
      throw OrielError(.dataFolder, "identity.json was written by a newer version")
    }
    guard let code = try? VerificationCode(record.verificationCode) else {
      throw OrielError(.dataFolder, "identity.json is damaged; restore it from a copy")
    }
    self.init(
      serial: record.serial, code: code, signingKey: try SigningKey(seed: Array(record.signingKey)),
      agreementKey: try AgreementKey(scalar: Array(record.agreementKey)))
  }

  /// The file's content. Secret.
  func fileContent() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    do {
      return try encoder.encode(
        IdentityRecord(
          version: 1, serial: serial, verificationCode: code.letters, signingKey: Data(signingKey.seed),
          agreementKey: Data(agreementKey.scalar)))
    } catch {
      throw OrielError(.dataFolder)
    }
  }
}
