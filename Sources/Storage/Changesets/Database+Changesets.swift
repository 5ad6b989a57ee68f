internal import CWellspringSQLite

extension Database {
  /// Runs a closure, and returns the changes that it made.
  ///
  /// The closure runs in a savepoint: if it throws, its changes are rolled back. Recordings can
  /// nest.
  ///
  /// The recording covers the tables of the main database that declare a primary key. It does not
  /// cover changes of the schema, and rows whose primary key is NULL.
  ///
  /// The index of a full-text table that triggers synchronize with another table is left out:
  /// applying the changes of that table runs the triggers.
  ///
  /// SQLite reports changes of single rows either to a session or to this library. So while the
  /// closure runs, a change of one row counts as a change of the whole table, and transaction
  /// observers are notified of the tables that statements may write by
  /// ``TransactionObserver/databaseDidChange()``.
  ///
  /// - Parameters:
  ///   - tables: The tables to record; `nil` for all.
  ///   - updates: Writes through this connection.
  /// - Returns: The changes.
  /// - Throws: The errors of `updates`, or ``DatabaseError``, with `SQLITE_READONLY` inside a
  ///   `read`.
  public func recordChangeset(
    tables: [String]? = nil,
    _ updates: () throws -> Void
  ) throws -> Changeset {
    try CompileOption.session.require(for: "changesets")
    try checkMayWrite()
    guard changeTracker.recorder == nil else {
      throw DatabaseError.misuse(
        "recordChangeset cannot be used on a database that is replicated: it would take the rows"
      )
    }
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
      // Deleting the session has removed the preupdate hook.
      tracker.sessionDidEnd(totalBefore: totalBefore)
    }
    if let tables {
      for table in tables { try check(sqlite3session_attach(session, table)) }
    } else {
      let filter = TableFilter(excluded: try SynchronizedFullText.shadowTables(self))
      defer { withExtendedLifetime(filter) {} }
      sqlite3session_table_filter(
        session,
        { context, table in TableFilter.of(context).includes(table) ? 1 : 0 },
        Unmanaged.passUnretained(filter).toOpaque()
      )
      try check(sqlite3session_attach(session, nil))
      try updates()
      return try changeset(of: session)
    }
    try updates()
    return try changeset(of: session)
  }

  private func changeset(of session: OpaquePointer?) throws -> Changeset {
    // SQLite reads the rows with internal statements here.
    return try authorizer.record {
      Result { try Changeset.made { sqlite3session_changeset(session, $0, $1) } }
    }.0.get()
  }

  /// Applies a changeset: either all changes except those that `conflict` omits, or none.
  ///
  /// Triggers run, as for any other change. Changes of the index of a full-text table that triggers
  /// write are skipped.
  ///
  /// Observations of the changed rows get new values, as after any other change.
  ///
  /// - Parameters:
  ///   - changeset: The changes. Changes of tables that do not exist in this database, or that have
  ///     fewer columns or another primary key, are skipped.
  ///   - tables: The tables to change; `nil` for all.
  ///   - conflict: Resolves a change that cannot be applied. It must not use the database. By
  ///     default, such a change aborts the whole application.
  /// - Throws: The errors of `conflict`; ``DatabaseError`` with `SQLITE_ABORT` when a conflict
  ///   aborts the application, or with `SQLITE_CORRUPT` when the data is not a changeset. Nothing
  ///   was changed then.
  public func apply(
    changeset: Changeset,
    tables: Set<String>? = nil,
    conflict: (ChangesetConflict) throws -> ChangesetConflict.Resolution = { _ in .abort }
  ) throws {
    try checkMayWrite()
    try changeset.checkStructure()
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
      let application = Application(
        tables: tables,
        filter: TableFilter(excluded: try SynchronizedFullText.shadowTables(self)),
        conflict: conflict
      )
      let context = Unmanaged.passUnretained(application).toOpaque()
      let recorder = changeTracker.recorder
      recorder?.runsInternalStatements = true
      defer { recorder?.runsInternalStatements = false }
      // SQLite compiles and runs internal statements here, which do not change the schema.
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
      if code == SQLITE_ABORT, let conflict = application.aborting {
        throw DatabaseError(resultCode: .SQLITE_ABORT, message: conflict.problem)
      }
      try check(code)
    }
  }

  private func check(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// The tables that a changeset does not hold.
  private final class TableFilter {
    private let excluded: Set<String>

    init(excluded: Set<String>) { self.excluded = excluded }

    static func of(_ context: UnsafeMutableRawPointer?) -> TableFilter {
      Unmanaged<TableFilter>.fromOpaque(context!).takeUnretainedValue()
    }

    func includes(_ table: UnsafePointer<CChar>?) -> Bool {
      guard !excluded.isEmpty, let table else { return true }
      return !excluded.contains(String(cString: table).asciiLowercased)
    }
  }

  /// The context of SQLite's callbacks while it applies a changeset.
  private final class Application {
    private let tables: Set<String>?
    private let conflict: (ChangesetConflict) throws -> ChangesetConflict.Resolution
    private let filter: TableFilter
    private(set) var error: (any Error)?
    /// The conflict that has aborted the application.
    private(set) var aborting: ChangesetConflict?

    init(
      tables: Set<String>?,
      filter: TableFilter,
      conflict: @escaping (ChangesetConflict) throws -> ChangesetConflict.Resolution
    ) {
      self.tables = tables.map { Set($0.map(\.asciiLowercased)) }
      self.filter = filter
      self.conflict = conflict
    }

    static func of(_ context: UnsafeMutableRawPointer?) -> Application {
      Unmanaged<Application>.fromOpaque(context!).takeUnretainedValue()
    }

    func includes(_ table: UnsafePointer<CChar>?) -> Bool {
      guard filter.includes(table) else { return false }
      guard let tables, let table else { return true }
      return tables.contains(String(cString: table).asciiLowercased)
    }

    func resolve(_ reason: Int32, _ iterator: OpaquePointer?) -> Int32 {
      guard let iterator else { return SQLITE_CHANGESET_ABORT }
      do {
        let found = ChangesetConflict(reason, iterator)
        let resolution = try conflict(found)
        if resolution == .abort { aborting = found }
        return resolution.code
      } catch {
        self.error = error
        return SQLITE_CHANGESET_ABORT
      }
    }
  }
}
