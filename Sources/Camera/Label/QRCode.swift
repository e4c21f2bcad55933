import CQREncode
import OrielModel

/// A QR code (ISO/IEC 18004), error correction M: square modules, dark or light. Over libqrencode.
struct QRCode: Sendable, Equatable {
  /// The modules in a row.
  let size: Int
  private let modules: [Bool]
  /// The light border that readers need, in modules.
  static let quietZone = 4

  /// - Throws: `OrielError` 150000 when the text is empty or too long.
  init(_ text: String) throws {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty, let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M) else {
      throw OrielError(.serverError, "the text does not fit in a QR code")
    }
    defer { QRcode_free(code) }
    let width = Int(code.pointee.width)
    size = width
    guard let data = code.pointee.data else { throw OrielError(.serverError, "no memory for a QR code") }
    modules = UnsafeBufferPointer(start: data, count: width * width).map { $0 & 1 == 1 }
  }

  /// Whether the module is dark; those outside are light.
  func isDark(column: Int, row: Int) -> Bool {
    (0..<size).contains(column) && (0..<size).contains(row) && modules[row * size + column]
  }
}
