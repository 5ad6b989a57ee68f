internal import CWellspringSQLite
internal import WellspringSystem

extension Database.Role {
  /// The parameter that tells SQLite which locks a connection may take; `nil` for no parameter.
  fileprivate var uriParameter: DatabaseLocation.URIParameter? {
    switch self {
    case .writer, .reader, .watcher, .snapshot: nil
    case .unlockedWatcher: .noLock(true)
    case .restingWatcher: .immutable(true)
    case .passiveWatcher: .other(name: ExistingLogVFS.parameter, value: "1")
    }
  }

  /// The interface to the operating system that the connection uses; `nil` for SQLite's own.
  fileprivate var vfs: String? { self == .passiveWatcher ? ExistingLogVFS.name : nil }
}

extension Database {
  /// Opens a connection in the mode that its role needs.
  ///
  /// SQLite does not lock the connection, because only one thread at a time uses it.
  static func open(_ location: DatabaseLocation, role: Role) throws -> OpaquePointer {
    ErrorLog.install()
    let path = location.path
    guard !location.sqliteName.utf8.contains(0) else {
      throw DatabaseError(
        resultCode: .SQLITE_CANTOPEN,
        message: "the path holds a NUL character, which would end it"
      )
    }
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_URI
    switch role {
    case .writer: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    case .reader, .watcher, .snapshot, .unlockedWatcher, .restingWatcher, .passiveWatcher:
      flags |= SQLITE_OPEN_READONLY
    }
    let name =
      role.uriParameter.map { DatabaseLocation.uri(path, parameters: [$0]).sqliteName }
      ?? location.sqliteName
    try location.requireRegularFile()
    var connection: OpaquePointer?
    let code = FileOpenings.opening { sqlite3_open_v2(name, &connection, flags, role.vfs) }
    guard code == SQLITE_OK, let connection else {
      let error = openingError(code: code, connection: connection, path: path)
      sqlite3_close_v2(connection)
      throw error
    }
    return connection
  }

  /// Prepares the connection as the configuration says, and reads the file, so that the opening
  /// fails when the file is not a database.
  func setUp() throws {
    setOption(SQLITE_DBCONFIG_DQS_DML, configuration.acceptsDoubleQuotedStringLiterals)
    setOption(SQLITE_DBCONFIG_DQS_DDL, configuration.acceptsDoubleQuotedStringLiterals)
    configuration.limits.apply(to: sqliteConnection)
    if !configuration.trustsFile { try distrustFile() }
    // Before SQLite 3.51.3, two connections that checkpoint concurrently can corrupt a file, so
    // readers never checkpoint. https://www.sqlite.org/wal.html#walresetbug
    if role != .writer { setOption(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true) }
    if role == .watcher { try JournalGate.waitUntilOpen(path: path, cancellation) }
    try expectingMissingLog {
      try setUpStep {
        let foreignKeys = configuration.foreignKeysEnabled ? "ON" : "OFF"
        try execute(sql: "PRAGMA foreign_keys = \(foreignKeys)")
        try execute(sql: "PRAGMA synchronous = \(configuration.synchronous.rawValue)")
      }
    }
    if role == .writer, configuration.journalMode == .wal { try setUpStep(changeToWAL) }
    try setUpStep { try checkIsDatabase() }
    if role == .writer, configuration.synchronous == .full { try setUpStep(syncRollbackJournal) }
    for function in DatabaseFunction.predefined { add(function: function) }
    for collation in DatabaseCollation.predefined { add(collation: collation) }
    for setup in configuration.setups { try setup(self) }
    // The setup by the application is not restricted; all later statements are.
    if !configuration.trustsFile {
      authorizer.restriction = configuration.readonly ? .reading : .ownFile
    }
    if role == .snapshot { try beginSnapshot() }
  }

  /// Runs the first read of the file, which is not logged as an error when a watcher finds no WAL.
  private func expectingMissingLog(_ body: () throws -> Void) throws {
    guard role == .passiveWatcher else { return try body() }
    try ErrorLog.missingLogIsExpected.run(body)
  }

  /// Makes SQLite check the pages that it reads, and distrust the schema.
  ///
  /// https://www.sqlite.org/security.html
  private func distrustFile() throws {
    setOption(SQLITE_DBCONFIG_DEFENSIVE, true)
    setOption(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
    try execute(sql: "PRAGMA cell_size_check = ON")
    // A file that another process truncates would end this process when it reads a mapped page.
    try execute(sql: "PRAGMA mmap_size = 0")
  }

  /// Begins the only transaction of a snapshot connection, and takes its snapshot with a first
  /// read.
  private func beginSnapshot() throws {
    try setUpStep { try cachedStatement(sql: "BEGIN DEFERRED").execute() }
    try setUpStep(takeSnapshot)
    // It stays open until the connection is closed: after an error that ends it, no statement runs.
    transactionState.openCount = 1
  }

  private func setOption(_ option: Int32, _ value: Bool) {
    _ = wellspring_db_config(sqliteConnection, option, value ? 1 : 0)
  }

  /// Reads the file header, which fails when the file is not a database.
  private func checkIsDatabase() throws {
    let statement = try makeStatement(sql: "PRAGMA schema_version")
    try statement.execute()
  }

  /// Makes a commit survive a power cut without a WAL, too.
  ///
  /// Such a commit ends with the deletion of the journal. With `synchronous = FULL`, the deletion
  /// is not synced: after a power cut the journal may be back, and undoes the commit.
  private func syncRollbackJournal() throws {
    if Fault.isOn(.unsyncedDeletion) { return }
    let mode = try journalMode()
    guard mode == .delete || mode == .truncate || mode == .persist else { return }
    try execute(sql: "PRAGMA synchronous = EXTRA")
  }

  /// Changes the file to WAL mode, unless it is already in that mode.
  private func changeToWAL() throws {
    let mode = try String.fetchOne(self, sql: "PRAGMA journal_mode = WAL")
    guard mode == "wal" else {
      throw DatabaseError(
        resultCode: .SQLITE_CANTOPEN,
        message: "cannot change \(path) to WAL mode: it stays in mode \(mode ?? "?")"
      )
    }
  }

  /// Runs a step of the opening, and retries it while the database is busy, as the busy mode says.
  ///
  /// SQLite does not call the busy handler for some locks that are taken here, such as the locks
  /// for a change to WAL mode and for a recovery.
  private func setUpStep(_ body: () throws -> Void) throws {
    let start = MonotonicClock.now
    var tries = 0
    /// Whether the step has not taken as long as the busy mode allows in all.
    var isInTime: Bool {
      guard case .timeout(let seconds) = configuration.busyMode else { return true }
      return Double(MonotonicClock.now - start) < seconds * 1_000_000_000
    }
    while true {
      busyHandler.hasGivenUp = false
      do {
        return try body()
      } catch let error as DatabaseError
        where error.resultCode == .SQLITE_BUSY && !busyHandler.hasGivenUp && isInTime
        && busyHandler.pauses(tries: tries)
      {
        tries += 1
      } catch let error as DatabaseError {
        throw Self.explained(error, path: path, connection: sqliteConnection)
      }
    }
  }

  private static func openingError(
    code: Int32,
    connection: OpaquePointer?,
    path: String
  ) -> DatabaseError {
    explained(
      DatabaseError(code: code, connection: connection),
      path: path,
      connection: connection
    )
  }

  /// Returns `error` with a message that names the file and the reason, where the file system shows
  /// the reason.
  private static func explained(
    _ error: DatabaseError,
    path: String,
    connection: OpaquePointer?
  ) -> DatabaseError {
    let status = FileStatus(path: path)
    let directory = FilePath.split(path).directory
    let reason: String
    if let connection,
      let resource = DatabaseError.missingResource(
        code: error.extendedResultCode.rawValue,
        connection
      )
    {
      reason = "\(path) cannot be opened: \(resource)"
    } else if error.resultCode == .SQLITE_NOTADB {
      reason = "\(path) is not a SQLite database"
    } else if let status, status.isDirectory {
      reason = "\(path) is a directory"
    } else if error.resultCode == .SQLITE_READONLY, error.extendedResultCode != .SQLITE_READONLY,
      !FileAccess.isWritable(directory)
    {
      reason = missingLog(path)
    } else if error.resultCode != .SQLITE_CANTOPEN || path.isEmpty || path == ":memory:" {
      return error
    } else if let limit = FilePath.exceededLimit(path) {
      reason = "\(path) cannot be opened: \(limit)"
    } else if status != nil, !FileAccess.isReadable(path) {
      reason = "no permission to read \(path)"
    } else if status == nil, FileStatus(path: directory) == nil {
      reason = "\(path) cannot be opened: the directory \(directory) does not exist"
    } else if status == nil {
      reason = "\(path) does not exist, or cannot be created"
    } else if !FileAccess.isWritable(directory) {
      reason = missingLog(path)
    } else {
      return error
    }
    return DatabaseError(resultCode: error.extendedResultCode, message: reason)
  }

  private static func missingLog(_ path: String) -> String {
    """
    \(path) cannot be opened: it is in WAL mode, and the files \(path)-wal and \(path)-shm are \
    missing or cannot be used, while the directory \(FilePath.split(path).directory) is not writable
    """
  }
}
