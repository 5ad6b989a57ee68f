/// What a connection has looked up of the schema, as long as the schema stays as it is.
struct SchemaCache {
  /// The schemas that say what a name in `main` means: `temp` hides its tables.
  struct Version: Hashable {
    let main: Int64
    let temp: Int64
  }

  /// What is known of one version of the schema.
  struct Content {
    var tables: [String: TableInfo] = [:]
    var indexes: [String: [IndexInfo]] = [:]
    var foreignKeys: [String: [ForeignKeyInfo]] = [:]
    /// By the name of the database.
    var objects: [String: [SchemaObject]] = [:]
  }

  private var version: Version?
  private(set) var content = Content()

  /// Forgets what is known of another version.
  mutating func adopt(_ version: Version) {
    guard self.version != version else { return }
    self.version = version
    content = Content()
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
  /// What is known by a name, or what a closure finds out: once for each version of the schema.
  ///
  /// What attached files hold is looked up each time: they have versions of their own.
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

  /// Forgets what was looked up before the schema has changed, here or in another process.
  func refreshSchemaCache() throws {
    checkAccess()
    schemaCache.adopt(
      SchemaCache.Version(
        main: try pragmas.schemaVersion(),
        temp: try pragmas.temporarySchemaVersion()
      )
    )
  }

  /// Runs a closure whose reads are not those of the running observation: each change of the schema makes
  /// all of them run again.
  func unrecorded<Value>(_ body: () throws -> Value) rethrows -> Value {
    let recorder = regionRecorder
    regionRecorder = nil
    defer { regionRecorder = recorder }
    return try body()
  }
}
