import Foundation
import OrielModel
import Testing

@testable import OrielCamera

@Suite struct LabelTests {
  private func label() throws -> DeviceLabel {
    DeviceLabel(
      serial: try DeviceSerial("O12345678"), code: try VerificationCode("ABCDEF"), model: "oriel-agent",
      agreementKey: Array(0..<32))
  }

  @Test func theTextHasTheLinesThatReadersExpect() throws {
    let lines = try label().text.components(separatedBy: "\r\n")
    #expect(Array(lines[1...3]) == ["O12345678", "ABCDEF", "oriel-agent"])
    #expect(lines[4] == "key=AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")
    #expect(lines.count == 5)
  }

  @Test func aModelCannotForgeLines() throws {
    let label = DeviceLabel(
      serial: try DeviceSerial("O12345678"), code: try VerificationCode("ABCDEF"), model: "a\r\nb\nc",
      agreementKey: [])
    #expect(label.text.components(separatedBy: "\r\n").count == 5)
  }

  @Test func itDoesNotSpeakItsCode() throws {
    let label = try label()
    var dumped = ""
    dump(label, to: &dumped)
    #expect(!"\(label)".contains("ABCDEF") && !dumped.contains("ABCDEF"))
  }

  @Test func theTerminalShowsQRCodeAndWords() throws {
    let text = try label().terminalText()
    #expect(text.contains("O12345678") && text.contains("ABCDEF"))
    #expect(text.contains("\u{2588}") && text.contains("\u{2580}"))
  }

  @Test func theDrawingsShowTheSameModules() throws {
    let code = try QRCode("oriel")
    #expect(code.size == 21)
    // A finder pattern: a dark ring, a light ring, a dark middle.
    #expect((0..<7).allSatisfy { code.isDark(column: $0, row: 0) })
    #expect((1..<6).allSatisfy { !code.isDark(column: $0, row: 1) })
    #expect(!code.isDark(column: -1, row: 0) && !code.isDark(column: 21, row: 0))
    let dark = (0..<21).flatMap { row in (0..<21).map { code.isDark(column: $0, row: row) } }.count { $0 }
    #expect(code.svg.components(separatedBy: "h1v1h-1z").count - 1 == dark)
    let png = code.png(scale: 1)
    #expect(Array(png.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    #expect(Array(png[16..<24]) == [0, 0, 0, 29, 0, 0, 0, 29])
  }

  @Test func aTextThatDoesNotFitIsToldSo() {
    #expect(throws: OrielError.self) { try QRCode(String(repeating: "x", count: 3000)) }
    #expect(throws: OrielError.self) { try QRCode("") }
  }

  /// Another program reads what we draw.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/zbarimg")))
  func aReaderReadsThePNG() throws {
    let folder = try TemporaryFolder()
    try Data(try label().png()).write(to: URL(fileURLWithPath: folder.file("label.png")))
    let reader = Process()
    let output = Pipe()
    reader.executableURL = URL(fileURLWithPath: "/usr/bin/zbarimg")
    reader.arguments = ["-q", "--raw", folder.file("label.png")]
    reader.standardOutput = output
    try reader.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    reader.waitUntilExit()
    #expect(text.contains("O12345678\r\nABCDEF\r\noriel-agent"))
  }
}
