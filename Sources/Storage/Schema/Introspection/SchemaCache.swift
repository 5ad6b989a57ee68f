/// What a connection has looked up in one version of the schema.
struct SchemaCache {
  /// The versions of all schemas of a connection. An unqualified name may stand for a table of any
  /// of them: one in `temp` hides one in `main`.
  struct Version: Hashable {
    let main: SchemaVersion
    let temp: SchemaVersion
    /// The versions of the attached databases, by their names.
    let attached: [String: SchemaVersion]
  }

  /// What was looked up in one version of the schema.
  struct Content {
    var tables: [String: TableInfo] = [:]
    var indexes: [String: [IndexInfo]] = [:]
    var foreignKeys: [String: [ForeignKeyInfo]] = [:]
    /// By database name.
    var objects: [String: [SchemaObject]] = [:]
  }

  /// The schema source that replaces that of the configuration, `.some(nil)` for none.
  private(set) var source: (any DatabaseSchemaSource)??
  private var version: Version?
  private(set) var content = Content()

  /// Empties the cache when the version differs from that of its content.
  ///
  /// - Returns: Whether it did.
  mutating func adopt(_ version: Version) -> Bool {
    guard self.version != version else { return false }
    self.version = version
    content = Content()
    return true
  }

  /// Replaces the schema source, and empties the cache of what a source has said.
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
