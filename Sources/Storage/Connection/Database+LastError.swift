internal import CWellspringSQLite

extension Database {
  /// The extended result code of the last call to SQLite on this connection.
  ///
  /// It is for code that uses ``sqliteConnection``. The methods of this library throw
  /// ``DatabaseError``, which has the code and the message.
  public var lastErrorCode: ResultCode {
    ResultCode(rawValue: sqlite3_extended_errcode(sqliteConnection))
  }

  /// The English description of ``lastErrorCode``.
  ///
  ///     let code = sqlite3_exec(db.sqliteConnection, sql, nil, nil, nil)
  ///     guard code == SQLITE_OK else {
  ///       throw DatabaseError(resultCode: db.lastErrorCode, message: db.lastErrorMessage)
  ///     }
  public var lastErrorMessage: String? {
    sqlite3_errmsg(sqliteConnection).map { String(cString: $0) }
  }
}
