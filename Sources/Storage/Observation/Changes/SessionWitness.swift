internal import CWellspringSQLite

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
