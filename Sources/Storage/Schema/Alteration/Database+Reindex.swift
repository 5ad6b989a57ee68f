extension Database {
  /// Rebuilds every index that uses a collation, after its sort order has changed.
  ///
  ///     try db.reindex(collation: .nocase)
  ///     // REINDEX NOCASE
  ///
  /// - Throws: ``DatabaseError``, with `SQLITE_CONSTRAINT_UNIQUE` when a unique index finds equal
  ///   rows.
  public func reindex(collation: CollationName) throws {
    try run(sql: "REINDEX \(collation.rawValue.sqlWord)")
  }

  /// Rebuilds every index that uses a collation defined in Swift, after its sort order has changed.
  ///
  ///     try db.reindex(collation: .localizedCompare)
  ///     // REINDEX swiftLocalizedCompare
  ///
  /// - Throws: ``DatabaseError``, with `SQLITE_CONSTRAINT_UNIQUE` when a unique index finds equal
  ///   rows.
  public func reindex(collation: DatabaseCollation) throws {
    try reindex(collation: CollationName(collation.name))
  }
}
