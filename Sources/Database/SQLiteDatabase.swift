import CSQLite
import OrielModel

/// The edge to SQLite: one connection, its prepared statements, and nothing of what is stored.
///
/// Not `Sendable`: it belongs to the actor that made it.
public final class SQLiteDatabase {
  private var handle: OpaquePointer?
  private var statements: [String: OpaquePointer] = [:]

  /// - Throws: `OrielError` 730010 when the file cannot be opened or is no database.
  public init(path: String) throws {
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX
    guard sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK else {
      sqlite3_close_v2(handle)
      throw OrielError(.dataFolder, "the database cannot be opened")
    }
    sqlite3_busy_timeout(handle, 5_000)
  }

  deinit { close() }

  public func close() {
    for statement in statements.values { sqlite3_finalize(statement) }
    statements = [:]
    sqlite3_close_v2(handle)
    handle = nil
  }

  /// Runs statements that take no values and give no rows.
  public func execute(_ sql: String) throws {
    try check(sqlite3_exec(handle, sql, nil, nil, nil))
  }

  /// Runs a statement.
  /// - Returns: how many rows it changed.
  @discardableResult
  public func run(_ sql: String, _ values: SQLiteValue...) throws -> Int {
    _ = try step(sql, values) { _ in }
    return Int(sqlite3_changes(handle))
  }

  /// The rows of a query.
  public func rows<Value>(_ sql: String, _ values: SQLiteValue..., read: (SQLiteRow) throws -> Value) throws
    -> [Value]
  {
    var rows: [Value] = []
    try step(sql, values) { rows.append(try read($0)) }
    return rows
  }

  /// The first row of a query.
  public func row<Value>(_ sql: String, _ values: SQLiteValue..., read: (SQLiteRow) throws -> Value) throws
    -> Value?
  {
    var first: Value?
    try step(sql, values) { if first == nil { first = try read($0) } }
    return first
  }

  public var lastInsertedID: Int64 { sqlite3_last_insert_rowid(handle) }

  /// All or nothing.
  public func transaction<Value>(_ body: () throws -> Value) throws -> Value {
    try execute("BEGIN IMMEDIATE")
    do {
      let value = try body()
      try execute("COMMIT")
      return value
    } catch {
      try? execute("ROLLBACK")
      throw error
    }
  }

  private func step(_ sql: String, _ values: [SQLiteValue], each: (SQLiteRow) throws -> Void) throws {
    let statement = try prepared(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (index, value) in values.enumerated() { try bind(value, to: statement, at: Int32(index + 1)) }
    while true {
      let code = sqlite3_step(statement)
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { throw failure(code) }
      try each(SQLiteRow(statement: statement))
    }
  }

  private func prepared(_ sql: String) throws -> OpaquePointer {
    if let statement = statements[sql] { return statement }
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
    guard let statement else { throw OrielError(.serverError, "an empty statement") }
    statements[sql] = statement
    return statement
  }

  private func bind(_ value: SQLiteValue, to statement: OpaquePointer, at index: Int32) throws {
    switch value {
    case .null: try check(sqlite3_bind_null(statement, index))
    case .integer(let number): try check(sqlite3_bind_int64(statement, index, number))
    case .text(let text): try check(oriel_sqlite_bind_text(statement, index, text, Int32(text.utf8.count)))
    case .blob(let bytes): try check(oriel_sqlite_bind_blob(statement, index, bytes, Int32(bytes.count)))
    }
  }

  private func check(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw failure(code) }
  }

  private func failure(_ code: Int32) -> OrielError {
    switch code & 0xff {
    case SQLITE_FULL: OrielError(.diskFull)
    case SQLITE_CORRUPT, SQLITE_NOTADB: OrielError(.serverDataError, "the database is damaged")
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_READONLY, SQLITE_IOERR:
      OrielError(.dataFolder, "the database cannot be written")
    // SQLite's own words name tables, never values.
    default: OrielError(.serverError, "database: \(String(cString: sqlite3_errstr(code)))")
    }
  }
}

/// What a statement takes.
public enum SQLiteValue: Sendable {
  case null
  case integer(Int64)
  case text(String)
  case blob([UInt8])

  public static func optional(_ value: String?) -> SQLiteValue { value.map(Self.text) ?? .null }
  public static func optional(_ value: Int64?) -> SQLiteValue { value.map(Self.integer) ?? .null }
  public static func integer(_ value: Int) -> SQLiteValue { .integer(Int64(value)) }
}

/// A row that is being read; valid only during the call that it is passed to.
public struct SQLiteRow {
  fileprivate let statement: OpaquePointer

  public func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
  public func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }
  public func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

  public func text(_ column: Int32) -> String {
    guard let text = sqlite3_column_text(statement, column) else { return "" }
    return String(cString: text)
  }

  public func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  public func blob(_ column: Int32) -> [UInt8] {
    let count = Int(sqlite3_column_bytes(statement, column))
    guard count > 0, let bytes = sqlite3_column_blob(statement, column) else { return [] }
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
  }
}
