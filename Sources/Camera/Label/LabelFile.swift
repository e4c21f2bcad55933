import Foundation
import OrielCrypto
import OrielModel

extension CameraAgent {
  private struct LabelFile: Encodable {
    let serial: DeviceSerial
    let verificationCode: String
    let model: String
    let text: String
  }

  /// Writes the label to label.json (0600) in the data folder, for those who start an agent without a terminal.
  /// - Returns: its path.
  /// - Throws: `OrielError` 720001 or 730010 when it cannot be written.
  public nonisolated func writeLabel() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let content = LabelFile(
      serial: label.serial, verificationCode: label.code.letters, model: label.model, text: label.text)
    let path = configuration.dataFolder + "/label.json"
    guard let data = try? encoder.encode(content) else { throw OrielError(.dataFolder, path) }
    try PrivateFile.write(data + [10], to: path)
    return path
  }
}
