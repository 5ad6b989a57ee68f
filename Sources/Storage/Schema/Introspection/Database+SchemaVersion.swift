extension Database {
  /// Returns the number that SQLite changes with each change of the schema of `main`.
  ///
  ///     let version = try db.schemaVersion()
  ///     // PRAGMA schema_version
  ///
  /// For a number of the application, see ``userVersion``.
  ///
  /// - Throws: ``DatabaseError``.
  public func schemaVersion() throws -> Int32 {
    try requireAccess()
    return Int32(truncatingIfNeeded: try versions.schemaNumber())
  }
}
