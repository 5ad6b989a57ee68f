extension Database {
  /// Returns the cached value for a name, or loads it: once for each version of the schema.
  ///
  /// Values of attached databases are loaded on every call, because another file with the same
  /// version may be attached under the same name.
  func lookUp<Value>(
    _ kind: WritableKeyPath<SchemaCache.Content, [String: Value]>,
    _ name: String,
    load: () throws -> (Value, schema: String)
  ) throws -> Value {
    try refreshSchemaCache()
    if let known = schemaCache.content[keyPath: kind][name] { return known }
    let (value, schema) = try unrecorded(load)
    if ["main", "temp"].contains(schema.asciiLowercased) { schemaCache.insert(value, kind, name) }
    return value
  }

  /// Empties the cache when the schema has changed, in this process or another one.
  ///
  /// Then no compiled statement is reused either: SQLite compiles it again when it runs, and until
  /// then it has the columns of the former schema.
  func refreshSchemaCache() throws {
    try requireAccess()
    let version = SchemaCache.Version(
      main: try versions.schemaVersion(),
      temp: try versions.temporarySchemaVersion(),
      attached: try versions.attachedSchemaVersions()
    )
    if schemaCache.adopt(version) { statementCache.removeAll() }
  }
}
