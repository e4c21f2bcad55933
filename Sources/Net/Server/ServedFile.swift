import Foundation

/// A file that is being answered with: its validators and the part that is asked for (RFC 9110 section 14).
final class ServedFile {
  let size: Int
  /// Seconds since 1970.
  let modified: Int
  let tag: String
  private var descriptor: Int32

  init?(_ path: String) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      if descriptor >= 0 { close(descriptor) }
      return nil
    }
    size = Int(status.st_size)
    modified = status.st_mtim.tv_sec
    let time = String(status.st_mtim.tv_sec, radix: 16) + "." + String(status.st_mtim.tv_nsec, radix: 16)
    tag = "\"\(time)-\(String(status.st_size, radix: 16))\""
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Gives the descriptor away.
  func takeDescriptor() -> Int32? {
    guard descriptor >= 0 else { return nil }
    defer { descriptor = -1 }
    return descriptor
  }

  func read(at offset: Int, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { target, used in
      used = max(0, pread(descriptor, target.baseAddress, target.count, off_t(offset)))
    }
  }

  struct Part: Equatable {
    var status: Int
    var range: Range<Int>
    var contentRange: String?
  }

  /// What a request asks for: the whole, a part (206), nothing new (304) or nothing there (416).
  func part(for request: HTTPRequest, status: Int) -> Part {
    let whole = Part(status: status, range: 0..<size)
    guard status == 200, request.method == "GET" || request.method == "HEAD" else { return whole }
    if let known = request.headers["If-None-Match"] {
      let tags = known.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      if tags.contains(where: { $0 == "*" || $0 == tag || $0 == "W/" + tag }) {
        return Part(status: 304, range: 0..<0)
      }
    }
    guard request.method == "GET", let wanted = request.headers["Range"],
      request.headers["If-Range"].map({ $0 == tag }) ?? true
    else { return whole }
    switch ByteRange.parse(wanted, size: size) {
    case .none: return whole
    case .some(.none): return Part(status: 416, range: 0..<0, contentRange: "bytes */\(size)")
    case .some(.some(let range)):
      return Part(
        status: 206, range: range, contentRange: "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)")
    }
  }
}

/// Reads `Range` fields (RFC 9110 section 14.2).
public enum ByteRange {
  /// nil: to be ignored (another unit, several ranges, malformed); `.some(nil)`: not in the file.
  public static func parse(_ text: String, size: Int) -> Range<Int>?? {
    guard text.hasPrefix("bytes="), text.utf8.count < 64 else { return nil }
    let sides = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard sides.count == 2 else { return nil }
    func number(_ digits: Substring) -> Int? {
      digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(digits) : nil
    }
    switch (sides[0].isEmpty, sides[1].isEmpty) {
    case (true, true): return nil
    case (true, false):
      guard let count = number(sides[1]) else { return nil }
      return .some(count > 0 && size > 0 ? max(0, size - count)..<size : nil)
    case (false, let isOpen):
      guard let first = number(sides[0]) else { return nil }
      let last: Int
      if isOpen {
        last = size - 1
      } else {
        guard let given = number(sides[1]), given >= first else { return nil }
        last = min(given, size - 1)
      }
      return .some(first < size ? first..<(last + 1) : nil)
    }
  }
}
