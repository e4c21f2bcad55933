import OrielDatabase
import OrielModel

/// The tables, as steps from one version of the schema to the next. A step that was released never changes.
enum Schema {
  static let steps: [String] = [
    """
    CREATE TABLE settings (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
    CREATE TABLE accounts (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE COLLATE NOCASE,
      password_hash TEXT NOT NULL,
      is_administrator INTEGER NOT NULL,
      created INTEGER NOT NULL
    );
    CREATE TABLE applications (
      app_key TEXT PRIMARY KEY,
      secret_hash BLOB NOT NULL,
      name TEXT NOT NULL,
      account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      created INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE tokens (
      hash BLOB PRIMARY KEY,
      account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      app_key TEXT,
      expires INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX tokens_by_account ON tokens (account, expires);
    CREATE TABLE devices (
      serial TEXT PRIMARY KEY,
      signing_key BLOB NOT NULL,
      agreement_key BLOB NOT NULL,
      reported_name TEXT NOT NULL,
      model TEXT NOT NULL,
      version TEXT NOT NULL,
      talk INTEGER NOT NULL,
      owner INTEGER REFERENCES accounts (id),
      given_name TEXT,
      claim INTEGER NOT NULL DEFAULT 0,
      added INTEGER NOT NULL DEFAULT 0,
      updated INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX devices_by_owner ON devices (owner, claim);
    CREATE TABLE cameras (
      serial TEXT NOT NULL REFERENCES devices (serial) ON DELETE CASCADE,
      camera INTEGER NOT NULL,
      name TEXT NOT NULL,
      video_level INTEGER NOT NULL,
      main_stream TEXT NOT NULL,
      sub_stream TEXT NOT NULL,
      delivery TEXT,
      note TEXT,
      cover INTEGER,
      PRIMARY KEY (serial, camera)
    ) WITHOUT ROWID;
    """,
    """
    CREATE TABLE cloud_files (
      id TEXT PRIMARY KEY,
      account INTEGER NOT NULL REFERENCES accounts (id),
      serial TEXT NOT NULL,
      camera INTEGER NOT NULL,
      kind TEXT NOT NULL,
      start_time INTEGER NOT NULL,
      end_time INTEGER NOT NULL,
      size INTEGER NOT NULL,
      digest BLOB NOT NULL,
      is_encrypted INTEGER NOT NULL,
      state INTEGER NOT NULL,
      heard INTEGER NOT NULL
    );
    CREATE INDEX cloud_files_by_camera ON cloud_files (serial, camera, start_time);
    CREATE INDEX cloud_files_by_account ON cloud_files (account, state, start_time, size);
    CREATE INDEX cloud_files_unsettled ON cloud_files (state, heard) WHERE state <> 1;
    CREATE TABLE cloud_fragments (
      id TEXT PRIMARY KEY REFERENCES cloud_files (id) ON DELETE CASCADE,
      list TEXT NOT NULL
    );
    CREATE TABLE cloud_limits (
      account INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
      retention INTEGER NOT NULL,
      quota INTEGER NOT NULL
    );
    """,
    """
    CREATE TABLE renewals (
      hash BLOB PRIMARY KEY,
      account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      app_key TEXT NOT NULL,
      expires INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX renewals_by_account ON renewals (account, expires);
    """,
  ]

  /// Brings a database to the newest version, each step whole or not at all.
  /// - Throws: `OrielError` 730010 when a newer Oriel has written it.
  static func migrate(_ database: SQLiteDatabase) throws {
    try database.execute("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)")
    let version = Int(try database.row("SELECT version FROM schema_version") { $0.integer(0) } ?? 0)
    guard version <= steps.count else {
      throw OrielError(.dataFolder, "a newer version of Oriel has written it")
    }
    for (index, step) in steps.enumerated().dropFirst(version) {
      try database.transaction {
        try database.execute(step)
        try database.execute("DELETE FROM schema_version")
        try database.run("INSERT INTO schema_version (version) VALUES (?)", .integer(index + 1))
      }
    }
  }
}
