/// The objects that a connection has looked up in one version of the schema.
struct SchemaCache {
  /// The versions of all schemas of a connection. An unqualified name may mean a table of any
  /// schema: a table in `temp` hides one in `main`.
  struct Version: Hashable {
    let main: SchemaVersion
    let temp: SchemaVersion
    /// The versions of the attached databases, by their names.
    let attached: [String: SchemaVersion]
  }

  /// The results of look-ups in one version of the schema.
  struct Content {
    var tables: [String: TableInfo] = [:]
    var indexes: [String: [IndexInfo]] = [:]
    var foreignKeys: [String: [ForeignKeyInfo]] = [:]
    /// By database name.
    var objects: [String: [SchemaObject]] = [:]
  }

  /// The schema source that replaces the source of the configuration, `.some(nil)` for none.
  private(set) var source: (any DatabaseSchemaSource)??
  private var version: Version?
  private(set) var content = Content()

  /// Empties the cache when the version differs from the version of its content.
  ///
  /// - Returns: Whether it did.
  mutating func adopt(_ version: Version) -> Bool {
    guard self.version != version else { return false }
    self.version = version
    content = Content()
    return true
  }

  /// Replaces the schema source, and empties the cache of a source's answers.
  mutating func replaceSource(_ source: (any DatabaseSchemaSource)??) {
    self.source = source
    content.tables = [:]
  }

  mutating func insert<Value>(
    _ value: Value,
    _ kind: WritableKeyPath<Content, [String: Value]>,
    _ name: String
  ) {
    content[keyPath: kind][name] = value
  }
}

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
