extension QRCode {
  private var span: Range<Int> { -Self.quietZone..<(size + Self.quietZone) }

  /// Two modules a character, black on white by escape codes, so that it reads on any terminal's colours.
  var terminalText: String {
    var text = ""
    for row in stride(from: span.lowerBound, to: span.upperBound, by: 2) {
      text += "\u{1B}[30;107m"
      for column in span {
        switch (isDark(column: column, row: row), isDark(column: column, row: row + 1)) {
        case (true, true): text += "\u{2588}"
        case (true, false): text += "\u{2580}"
        case (false, true): text += "\u{2584}"
        case (false, false): text += " "
        }
      }
      text += "\u{1B}[0m\n"
    }
    return text
  }

  var svg: String {
    var path = ""
    for row in 0..<size {
      for column in 0..<size where isDark(column: column, row: row) {
        path += "M\(column + Self.quietZone) \(row + Self.quietZone)h1v1h-1z"
      }
    }
    let side = span.count
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges">\
      <path fill="#fff" d="M0 0h\(side)v\(side)H0z"/><path d="\(path)"/></svg>

      """
  }

  func png(scale: Int) -> [UInt8] {
    let side = span.count * scale
    var image = GreyImage(width: side, height: side)
    for y in 0..<side {
      for x in 0..<side where isDark(column: x / scale - Self.quietZone, row: y / scale - Self.quietZone) {
        image.pixels[y * side + x] = 0
      }
    }
    return image.png
  }
}
