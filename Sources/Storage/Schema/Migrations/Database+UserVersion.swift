extension Database {
  /// A number in the file that SQLite leaves to the application: 0 unless set.
  ///
  ///     if try db.userVersion == 0 {
  ///       try db.create(table: "player") { t in t.autoIncrementedPrimaryKey("id") }
  ///       try db.setUserVersion(1)
  ///     }
  ///     // PRAGMA user_version
  ///
  /// It is independent of ``DatabaseMigrator``, which identifies migrations by name.
  ///
  /// - Throws: ``DatabaseError``.
  public var userVersion: Int {
    get throws { try Int.fetchOne(self, sql: "PRAGMA user_version") ?? 0 }
  }

  /// Sets the number that SQLite leaves to the application. The change is part of the current
  /// transaction.
  ///
  ///     try db.setUserVersion(1)
  ///     // PRAGMA user_version = 1
  ///
  /// - Throws: ``DatabaseError``, with `SQLITE_MISUSE` when the number does not fit in 32 bits.
  public func setUserVersion(_ version: Int) throws {
    guard let version = Int32(exactly: version) else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: "the user version \(version) does not fit in 32 bits"
      )
    }
    try run(sql: "PRAGMA user_version = \(version)")
  }
}
