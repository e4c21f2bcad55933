/// Where whole recordings lie: files of this machine by default, an S3 bucket when one is named.
///
/// A name is a file's id, `[a-z0-9]` only. The same tests run on every implementation.
protocol CloudStore: Sendable {
  /// Takes a whole file over; when it returns, the store has it for good, also after a power cut. Done again with
  /// the same name it changes nothing.
  /// - Parameter path: the spooled file; it is the store's afterwards, and no longer there.
  /// - Throws: `OrielError` 720001 when there is no room, 720310 when the store cannot be reached or refuses.
  func keep(_ path: String, as name: String) async throws
  /// - Returns: bytes; nil when it has no such file.
  func size(of name: String) async throws -> Int64?
  /// - Throws: `OrielError` 395402 when it has no such file or it is shorter.
  func read(_ name: String, _ range: Range<Int64>) async throws -> [UInt8]
  /// Deletes for good; one that is not there is no failure.
  func delete(_ name: String) async throws
  /// The file itself, where it lies on this machine and can be sent as it is.
  func localPath(of name: String) -> String?
}
