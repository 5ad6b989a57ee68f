internal import CWellspringSQLite
internal import WellspringSystem

/// Reports which tables of a database change while sessions own the connection's preupdate hook.
///
/// It is a session that records nothing: for each row, SQLite asks its filter whether to record the
/// table. https://www.sqlite.org/session/sqlite3session_table_filter.html
final class SessionWitness {
  private let schema: String
  private let didChange: (TableName) -> Void
  private var session: OpaquePointer?

  /// Begins to watch the database named `schema`. `didChange` is called with the table of each row
  /// that is about to change.
  init(
    schema: String,
    _ database: Database,
    didChange: @escaping (TableName) -> Void
  ) throws {
    self.schema = schema
    self.didChange = didChange
    let code = sqlite3session_create(database.sqliteConnection, schema, &session)
    guard code == SQLITE_OK, let session else {
      throw database.failure(code)
    }
    sqlite3session_table_filter(
      session,
      { context, table in
        guard let context, let table else { return 0 }
        let witness = Unmanaged<SessionWitness>.fromOpaque(context).takeUnretainedValue()
        witness.didChange(TableName(schema: witness.schema, name: String(cString: table)))
        return 0
      },
      Unmanaged.passUnretained(self).toOpaque()
    )
    sqlite3session_attach(session, nil)
  }

  deinit {
    sqlite3session_delete(session)
  }
}

/// Tracking while changesets are recorded: SQLite's sessions then own the one preupdate hook.
extension ChangeTracker {
  /// A session has taken the preupdate hook. Until it ends, tables count as changed in all of their
  /// rows.
  func sessionDidBegin() {
    hook.sessions += 1
    guard hook.sessions == 1 else { return }
    updateNotesWrites()
    guard hook.isInstalled else { return }
    do {
      hook.witnesses = try String.fetchAll(database, sql: "SELECT name FROM pragma_database_list")
        .map {
          try SessionWitness(schema: $0, database) { [unowned self] table in
            transaction.addAll(of: table)
          }
        }
    } catch {
      transaction.setEverything()
    }
  }

  /// Notifies the observers of the region that a statement may write, because a session owns the
  /// hook.
  func announceWrites(of statement: Statement) {
    guard !statement.isReadonly, !observers.isEmpty else { return }
    let region = DatabaseRegion(
      tables: Dictionary(uniqueKeysWithValues: statement.effects.writes.map { ($0, .all) })
    )
    guard !region.isEmpty else { return }
    observers.awaitReset(database)
    observers.note(
      database,
      changesOfKinds: try? region.eventKinds(database),
      by: statement
    )
  }

  /// - Parameter totalBefore: SQLite's count of all changes when the session began.
  func sessionDidEnd(totalBefore: Int64) {
    hook.sessions -= 1
    guard hook.sessions == 0 else { return }
    updateNotesWrites()
    // The witnesses are sessions too, and end before the hook is installed again.
    hook.witnesses = []
    if hook.isInstalled { installPreupdateHook() }
    // The witnesses have reported these rows.
    transaction.countKnownRows(sqlite3_total_changes64(database.sqliteConnection) - totalBefore)
  }
}
