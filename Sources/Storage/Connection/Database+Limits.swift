internal import CWellspringSQLite

extension Database {
  /// The version of SQLite, as in `3040001` for 3.40.1.
  public static var sqliteLibVersionNumber: Int32 { sqlite3_libversion_number() }

  /// The number of parameters that a statement may have; 32,766 by default.
  ///
  ///     let isTooLong = ids.count > db.maximumStatementArgumentCount
  ///
  /// https://www.sqlite.org/limits.html#max_variable_number
  public var maximumStatementArgumentCount: Int {
    Int(sqlite3_limit(sqliteConnection, SQLITE_LIMIT_VARIABLE_NUMBER, -1))
  }
}
