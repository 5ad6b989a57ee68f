extension Database {
  /// A number that the file keeps for its users: 0 unless it was set.
  ///
  ///     if try db.userVersion == 0 {
  ///       try db.create(table: "player") { t in t.autoIncrementedPrimaryKey("id") }
  ///       try db.setUserVersion(1)
  ///     }
  ///     // PRAGMA user_version
  ///
  /// It has nothing to do with ``DatabaseMigrator``, which knows its migrations by their names.
  ///
  /// - Throws: ``DatabaseError``.
  public var userVersion: Int {
    get throws { try Int.fetchOne(self, sql: "PRAGMA user_version") ?? 0 }
  }

  /// Sets the number that the file keeps for its users. It belongs to the transaction that runs.
  ///
  ///     try db.setUserVersion(1)
  ///     // PRAGMA user_version = 1
  ///
  /// - Throws: ``DatabaseError``, with `SQLITE_MISUSE` when the number does not fit 32 bits.
  public func setUserVersion(_ version: Int) throws {
    guard let version = Int32(exactly: version) else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: "the user version \(version) does not fit 32 bits"
      )
    }
    try run(sql: "PRAGMA user_version = \(version)")
  }
}
