internal import CWellspringSQLite

extension Database {
  /// Runs a closure, and returns what it has changed.
  ///
  /// The closure runs in a savepoint: when it throws, its changes are undone. Recordings nest.
  ///
  /// Changes are recorded in the main database, in tables that declare a primary key; changes of the
  /// schema, and rows whose primary key is NULL, are not.
  ///
  /// SQLite tells either the session or the library of single rows. So until the closure ends, a table
  /// that changes in some row counts as changed altogether, and transaction observers are told of the
  /// tables that statements may write, by ``TransactionObserver/databaseDidChange()``.
  ///
  /// - Parameters:
  ///   - tables: The tables to record; `nil` for all.
  ///   - updates: Writes through this connection.
  /// - Returns: The changes.
  /// - Precondition: The connection is one that writes.
  /// - Throws: What `updates` throws, or ``DatabaseError``.
  public func recordChangeset(
    tables: [String]? = nil,
    _ updates: () throws -> Void
  ) throws -> Changeset {
    var changeset = Changeset()
    try inSavepoint {
      changeset = try recordSession(tables: tables, updates)
      return .commit
    }
    return changeset
  }

  private func recordSession(
    tables: [String]?,
    _ updates: () throws -> Void
  ) throws -> Changeset {
    let tracker = changeTracker
    var session: OpaquePointer?
    try check(sqlite3session_create(sqliteConnection, "main", &session))
    let totalBefore = sqlite3_total_changes64(sqliteConnection)
    tracker.sessionDidBegin()
    defer {
      sqlite3session_delete(session)
      // Deleting the session has taken the hook away.
      tracker.sessionDidEnd(totalBefore: totalBefore)
    }
    if let tables {
      for table in tables { try check(sqlite3session_attach(session, table)) }
    } else {
      try check(sqlite3session_attach(session, nil))
    }
    try updates()
    // It reads the rows by statements of its own.
    return try authorizer.record {
      Result { try Changeset.made { sqlite3session_changeset(session, $0, $1) } }
    }.0.get()
  }

  /// Applies a changeset: all of it, but for what `conflict` leaves out, or nothing.
  ///
  /// Observations of the changed rows get new values, as with every other change.
  ///
  /// - Parameters:
  ///   - changeset: What to change. Tables that do not exist here, or that have fewer columns or another
  ///     primary key, are left out.
  ///   - tables: The tables to change; `nil` for all.
  ///   - conflict: Says what is to be done with a change that the database does not fit. It must not
  ///     use the database. Unless it is given, such a change makes the whole fail.
  /// - Throws: What `conflict` throws; ``DatabaseError`` with `SQLITE_ABORT` when a conflict makes the
  ///   whole fail, with `SQLITE_CORRUPT` when the data is no changeset. Then nothing was changed.
  public func apply(
    changeset: Changeset,
    tables: Set<String>? = nil,
    conflict: (ChangesetConflict) throws -> ChangesetConflict.Resolution = { _ in .abort }
  ) throws {
    try inSavepoint {
      try applyChanges(of: changeset, tables: tables, conflict: conflict)
      return .commit
    }
  }

  private func applyChanges(
    of changeset: Changeset,
    tables: Set<String>?,
    conflict: (ChangesetConflict) throws -> ChangesetConflict.Resolution
  ) throws {
    try withoutActuallyEscaping(conflict) { conflict in
      let application = Application(tables: tables, conflict: conflict)
      let context = Unmanaged.passUnretained(application).toOpaque()
      // What it compiles and runs is its own affair, and leaves the schema as it is.
      let (code, _) = authorizer.record {
        changeset.withBytes { count, bytes in
          sqlite3changeset_apply_v2(
            sqliteConnection,
            count,
            bytes,
            { context, table in Application.of(context).includes(table) ? 1 : 0 },
            { context, reason, iterator in Application.of(context).resolve(reason, iterator) },
            context,
            nil,
            nil,
            0
          )
        }
      }
      if let error = application.error { throw error }
      try check(code)
    }
  }

  private func check(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: sqliteConnection) }
  }

  /// What SQLite asks while it applies a changeset.
  private final class Application {
    private let tables: Set<String>?
    private let conflict: (ChangesetConflict) throws -> ChangesetConflict.Resolution
    private(set) var error: (any Error)?

    init(
      tables: Set<String>?,
      conflict: @escaping (ChangesetConflict) throws -> ChangesetConflict.Resolution
    ) {
      self.tables = tables.map { Set($0.map(\.asciiLowercased)) }
      self.conflict = conflict
    }

    static func of(_ context: UnsafeMutableRawPointer?) -> Application {
      Unmanaged<Application>.fromOpaque(context!).takeUnretainedValue()
    }

    func includes(_ table: UnsafePointer<CChar>?) -> Bool {
      guard let tables, let table else { return true }
      return tables.contains(String(cString: table).asciiLowercased)
    }

    func resolve(_ reason: Int32, _ iterator: OpaquePointer?) -> Int32 {
      guard let iterator else { return SQLITE_CHANGESET_ABORT }
      do {
        return try conflict(ChangesetConflict(reason, iterator)).code
      } catch {
        self.error = error
        return SQLITE_CHANGESET_ABORT
      }
    }
  }
}
