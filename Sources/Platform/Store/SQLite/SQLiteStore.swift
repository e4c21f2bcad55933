import OrielDatabase
import OrielModel

/// The store in one SQLite file (WAL, synchronous=NORMAL): a power cut loses the last moments, never the file.
///
/// An actor on the default pool, so that no disk is waited for on the network loop.
actor SQLiteStore: Store {
  /// Tokens that one account may have; more push out the oldest.
  static let tokensPerAccount = 1_000
  static let week: Int64 = 7 * 24 * 3_600_000

  let database: SQLiteDatabase

  /// - Throws: `OrielError` 730010 when the file cannot be used, 149999 when it is damaged.
  init(path: String) throws {
    database = try SQLiteDatabase(path: path)
    try database.execute("PRAGMA journal_mode=WAL")
    try database.execute("PRAGMA synchronous=NORMAL")
    try database.execute("PRAGMA foreign_keys=ON")
    try Schema.migrate(database)
  }

  func flush() throws { try database.execute("PRAGMA wal_checkpoint(TRUNCATE)") }

  func close() { database.close() }

  // MARK: Settings

  func setting(_ name: String) throws -> [UInt8]? {
    try database.row("SELECT value FROM settings WHERE name = ?", .text(name)) { $0.blob(0) }
  }

  func saveSetting(_ name: String, _ value: [UInt8]) throws {
    try database.run("INSERT OR REPLACE INTO settings VALUES (?, ?)", .text(name), .blob(value))
  }

  // MARK: Accounts

  private static let accountColumns = "SELECT id, name, password_hash, is_administrator FROM accounts"

  private static func account(_ row: SQLiteRow) -> Account {
    Account(
      id: row.integer(0), name: row.text(1), passwordHash: row.text(2), isAdministrator: row.integer(3) != 0)
  }

  func account(named name: String) throws -> Account? {
    try database.row("\(Self.accountColumns) WHERE name = ?", .text(name), read: Self.account)
  }

  func account(_ id: Int64) throws -> Account? {
    try database.row("\(Self.accountColumns) WHERE id = ?", .integer(id), read: Self.account)
  }

  func accounts() throws -> [Account] {
    try database.rows("\(Self.accountColumns) ORDER BY id", read: Self.account)
  }

  func addAccount(name: String, passwordHash: String, isAdministrator: Bool, at time: Int64) throws -> Account
  {
    let added = try database.run(
      """
      INSERT INTO accounts (name, password_hash, is_administrator, created) VALUES (?, ?, ?, ?)
      ON CONFLICT (name) DO NOTHING
      """, .text(name), .text(passwordHash), .integer(isAdministrator ? 1 : 0), .integer(time))
    guard added == 1 else { throw OrielError(.parameterError, "the account's name is taken") }
    return Account(
      id: database.lastInsertedID, name: name, passwordHash: passwordHash, isAdministrator: isAdministrator)
  }

  // MARK: Applications

  private static let applicationColumns =
    "SELECT app_key, secret_hash, name, account, created FROM applications"

  private static func application(_ row: SQLiteRow) -> Application {
    Application(
      appKey: row.text(0), secretHash: row.blob(1), name: row.text(2), account: row.integer(3),
      created: row.integer(4))
  }

  func application(_ appKey: String) throws -> Application? {
    try database.row("\(Self.applicationColumns) WHERE app_key = ?", .text(appKey), read: Self.application)
  }

  func applications() throws -> [Application] {
    try database.rows("\(Self.applicationColumns) ORDER BY created, app_key", read: Self.application)
  }

  func addApplication(_ application: Application) throws {
    try database.run(
      "INSERT INTO applications (app_key, secret_hash, name, account, created) VALUES (?, ?, ?, ?, ?)",
      .text(application.appKey), .blob(application.secretHash), .text(application.name),
      .integer(application.account), .integer(application.created))
  }

  // MARK: Tokens

  func token(_ hash: [UInt8]) throws -> StoredToken? {
    try database.row("SELECT hash, account, app_key, expires FROM tokens WHERE hash = ?", .blob(hash)) {
      StoredToken(
        hash: $0.blob(0), account: $0.integer(1), appKey: $0.optionalText(2), expires: $0.integer(3))
    }
  }

  func addToken(_ token: StoredToken, at time: Int64) throws {
    try database.transaction {
      try database.run("DELETE FROM tokens WHERE expires < ?", .integer(time - Self.week))
      try database.run(
        """
        DELETE FROM tokens WHERE hash IN (
          SELECT hash FROM tokens WHERE account = ? ORDER BY expires DESC LIMIT -1 OFFSET ?)
        """, .integer(token.account), .integer(Self.tokensPerAccount - 1))
      try database.run(
        "INSERT INTO tokens (hash, account, app_key, expires) VALUES (?, ?, ?, ?)", .blob(token.hash),
        .integer(token.account), .optional(token.appKey), .integer(token.expires))
    }
  }

  func addRenewal(_ renewal: StoredToken, at time: Int64) throws {
    try database.transaction {
      try database.run("DELETE FROM renewals WHERE expires < ?", .integer(time))
      try database.run(
        """
        DELETE FROM renewals WHERE hash IN (
          SELECT hash FROM renewals WHERE account = ? ORDER BY expires DESC LIMIT -1 OFFSET ?)
        """, .integer(renewal.account), .integer(Self.tokensPerAccount - 1))
      try database.run(
        "INSERT INTO renewals (hash, account, app_key, expires) VALUES (?, ?, ?, ?)", .blob(renewal.hash),
        .integer(renewal.account), .optional(renewal.appKey), .integer(renewal.expires))
    }
  }

  func takeRenewal(_ hash: [UInt8]) throws -> StoredToken? {
    try database.row(
      "DELETE FROM renewals WHERE hash = ? RETURNING hash, account, app_key, expires", .blob(hash)
    ) {
      StoredToken(
        hash: $0.blob(0), account: $0.integer(1), appKey: $0.optionalText(2), expires: $0.integer(3))
    }
  }

  func removeToken(_ hash: [UInt8]) throws {
    try database.run("DELETE FROM tokens WHERE hash = ?", .blob(hash))
  }
}
