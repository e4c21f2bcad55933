/// Header fields in the order they were added; names compare without regard to case (RFC 9110 section 5.1).
public struct HTTPHeaders: Sendable, ExpressibleByDictionaryLiteral {
  /// Every field, in order.
  public private(set) var fields: [(name: String, value: String)]

  public init() { fields = [] }
  public init(_ fields: [(name: String, value: String)]) { self.fields = fields }
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { (name: $0.0, value: $0.1) }
  }

  /// The first value of a field; setting replaces every value, nil removes them.
  public subscript(name: String) -> String? {
    get { fields.first { Self.isSame($0.name, name) }?.value }
    set {
      fields.removeAll { Self.isSame($0.name, name) }
      if let newValue { fields.append((name: name, value: newValue)) }
    }
  }

  /// Every value of a field.
  public func values(of name: String) -> [String] {
    fields.compactMap { Self.isSame($0.name, name) ? $0.value : nil }
  }

  /// Adds a value and keeps those that are there.
  public mutating func add(_ name: String, _ value: String) { fields.append((name: name, value: value)) }

  /// Whether a comma-separated field such as `Connection` names `token`.
  public func contains(_ token: String, in name: String) -> Bool {
    fields.contains { field in
      Self.isSame(field.name, name)
        && field.value.utf8.split(separator: UInt8(ascii: ","))
          .contains { Self.isSame(Substring($0).drop(while: \.isWhitespace).trimmed, Substring(token)) }
    }
  }

  static func isSame(_ one: some StringProtocol, _ other: some StringProtocol) -> Bool {
    one.utf8.count == other.utf8.count
      && zip(one.utf8, other.utf8).allSatisfy { $0 == $1 || lowercased($0) == lowercased($1) }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte | 0x20 : byte }
}

extension Substring {
  /// Without white space at the end.
  fileprivate var trimmed: Substring {
    var text = self
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
