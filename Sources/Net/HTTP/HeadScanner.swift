import Foundation

/// Finds the end of a head while its bytes come in, looking at each byte once.
///
/// A line feed without a carriage return is refused as soon as it is seen (RFC 9112 section 2.2 allows it to be
/// taken as a line's end, and proxies that differ here can be smuggled past).
struct HeadScanner {
  private var scanned = 0
  private var lineStart = 0
  private(set) var lines = 0

  /// The length of the head with its empty line; nil when it is not complete.
  mutating func end(in bytes: UnsafeRawBufferPointer) throws(HTTPRefusal) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    while scanned < bytes.count,
      let found = memchr(base + scanned, 0x0a, bytes.count - scanned)
    {
      let feed = UnsafeRawPointer(found) - base
      guard feed > lineStart, bytes[feed - 1] == 0x0d else { throw .malformed("a line ends without CR") }
      let isEmpty = feed == lineStart + 1
      scanned = feed + 1
      lineStart = scanned
      lines += 1
      if isEmpty { return scanned }
    }
    scanned = bytes.count
    return nil
  }
}
