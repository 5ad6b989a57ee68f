extension Database {
  /// Runs a closure in which a schema source replaces that of the configuration.
  ///
  ///     migrator.registerMigration("Rename heroes") { db in
  ///       try db.withSchemaSource(Keys()) { try rename(db) }
  ///     }
  ///
  /// - Parameters:
  ///   - source: The source; `nil` for none.
  ///   - body: The closure.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  public func withSchemaSource<Value>(
    _ source: (any DatabaseSchemaSource)?,
    execute body: () throws -> Value
  ) rethrows -> Value {
    // Without sources, nothing that is cached depends on the source.
    guard source != nil || schemaSource != nil else { return try body() }
    let outer = schemaCache.source
    schemaCache.replaceSource(.some(source))
    defer { schemaCache.replaceSource(outer) }
    return try body()
  }

  /// The source that is in effect.
  private var schemaSource: (any DatabaseSchemaSource)? {
    switch schemaCache.source {
    case .none: configuration.schemaSource
    case .some(let source): source
    }
  }

  /// Returns the columns that identify a row of a view, as the schema source knows them.
  func columnsForPrimaryKey(inView view: DatabaseObjectID) throws -> [String] {
    guard let source = schemaSource else { return [] }
    // A source that asks for the key of this view gets the answer of SQLite: no key.
    return try withSchemaSource(nil) {
      try source.columnsForPrimaryKey(self, inView: view) ?? []
    }
  }
}
