import Foundation
import OrielModel
import Testing

@Suite struct ErrorPageTests {
  /// `docs/reference/errors.md` is the table, printed. `ORIEL_WRITE_DOCS=1 swift test --filter ErrorPage` renews it.
  @Test func theReferencePageIsTheTable() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let file = root.appendingPathComponent("docs/reference/errors.md")
    if ProcessInfo.processInfo.environment["ORIEL_WRITE_DOCS"] != nil {
      try Data(Self.page.utf8).write(to: file)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == Self.page)
  }

  private static var page: String {
    let rows = ErrorCode.allCases.sorted { $0.rawValue < $1.rawValue }.map { code in
      let entry = code.entry
      return
        "| \(code.rawValue) | \(code.apiNumber.map(String.init) ?? "") | \(entry.name) | \(entry.meaning) | \(entry.remedy) |"
    }
    return """
      # Errors

      Every failure has a number. The SDK's number is the HTTP API's plus 100000 where the API knows it; numbers that
      begin with 7 are Oriel's own, the others keep the value that the first manual gives them.

      | number | API | name | what happened | what to do |
      |---|---|---|---|---|
      \(rows.joined(separator: "\n"))

      """
  }
}
