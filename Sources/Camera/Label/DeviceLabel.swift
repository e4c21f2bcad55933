public import OrielModel

/// What is printed on a device: serial, verification code and model, as text and as a QR code.
///
/// It holds the verification code: whoever reads it can add the device. Show it to the person at the
/// terminal or write it to a file; never log it.
public struct DeviceLabel: Sendable, Equatable {
  public let serial: DeviceSerial
  public let code: VerificationCode
  public let model: String
  /// The device's X25519 public key, 32 bytes: later, what Wi-Fi credentials are sealed to.
  public let agreementKey: [UInt8]

  public init(serial: DeviceSerial, code: VerificationCode, model: String, agreementKey: [UInt8]) {
    self.serial = serial
    self.code = code
    self.model = model.filter { !$0.isNewline }
    self.agreementKey = agreementKey
  }

  /// The QR code's text: site, serial, code and model, a line each, as readers of such labels expect it;
  /// a fifth line carries the key, which they ignore.
  public var text: String {
    ["www.oriel.local", serial.value, code.letters, model, "key=" + Base64URL.text(agreementKey)]
      .joined(separator: "\r\n")
  }

  /// The label for a terminal: a QR code of half blocks, and the same in words.
  /// - Throws: `OrielError` 150000 when the model's name is too long for a QR code.
  public func terminalText() throws -> String {
    try QRCode(text).terminalText + "\n  Serial  \(serial)\n  Code    \(code.letters)\n  Model   \(model)\n"
  }

  /// The QR code as a picture that scales.
  public func svg() throws -> String { try QRCode(text).svg }

  /// The QR code as PNG (grey, `scale` pixels a module; 1...32).
  public func png(scale: Int = 8) throws -> [UInt8] { try QRCode(text).png(scale: min(max(scale, 1), 32)) }
}

extension DeviceLabel: CustomStringConvertible, CustomReflectable {
  public var description: String { "\(serial) ******" }
  public var customMirror: Mirror { Mirror(self, children: ["serial": serial]) }
}
