extension Database {
  /// Gives the running transaction its snapshot, by a first read of all databases of the connection.
  func takeSnapshot() throws {
    try pragmas.touchAll(learningSchemas: learnSchemas)
  }

  /// Makes SQLite read the schemas again, and look up again what names mean.
  ///
  /// SQLite compiles a statement with the schema that it remembers, and finds out that this is an old one
  /// when the statement runs. It looks again when it knows no such table or column, but other errors, such as
  /// too few columns in a part of a `UNION`, would come for ever. And a new table hides its namesakes
  /// in databases that were attached later, which a compiled statement does not find out: it looks at the
  /// schemas of the databases only that it uses.
  private func learnSchemas() throws {
    let attachedNames = pragmas.attachedNames
    if !attachedNames.isEmpty { statementCache.removeAll() }
    for name in ["main"] + attachedNames {
      let schema = name.quotedDatabaseIdentifier
      try makeStatement(sql: "SELECT 1 FROM \(schema).sqlite_schema LIMIT 1").execute()
    }
  }
}
