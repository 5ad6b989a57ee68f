/// The name of a table or a view, and of the database that contains it.
public struct DatabaseObjectID: Hashable, Sendable {
  /// The database: `main`, `temp`, or the name of an attached one.
  public let schemaName: String

  /// The name of the table or the view, spelled as in the request that needs it.
  public let name: String

  init(schemaName: String, name: String) {
    self.schemaName = schemaName
    self.name = name
  }

  /// Creates the name of a table or a view of a database.
  public init(name: String, schemaID: DatabaseSchemaID) {
    self.init(schemaName: schemaID.name, name: name)
  }

  /// The database as a value.
  public var schemaID: DatabaseSchemaID { DatabaseSchemaID(name: schemaName) }
}

/// One of the databases of a connection.
public struct DatabaseSchemaID: Hashable, Sendable {
  /// The database: `main`, `temp`, or the name of an attached one.
  public let name: String

  /// The file of the connection.
  public static let main = DatabaseSchemaID(name: "main")

  /// The temporary tables and views of the connection.
  public static let temp = DatabaseSchemaID(name: "temp")

  /// Returns the database that is attached under a name.
  public static func attached(_ name: String) -> DatabaseSchemaID { DatabaseSchemaID(name: name) }

  /// The table that lists the objects of the database: `sqlite_master`, or `sqlite_temp_master`.
  public var schemaTableName: String {
    self == .temp ? "sqlite_temp_master" : "sqlite_master"
  }
}

/// Knowledge about the schema that SQLite does not have: which columns identify the rows of a view.
///
///     struct Keys: DatabaseSchemaSource {
///       func columnsForPrimaryKey(_ db: Database, inView view: DatabaseObjectID) -> [String]? {
///         view.name == "hero" ? ["id"] : nil
///       }
///     }
///     configuration.schemaSource = Keys()
///     let hero = try Hero.find(db, id: 1)
///     // SELECT * FROM "hero" WHERE "id" = 1
///
/// The answers are cached until the schema changes, so they must depend on the schema only. A
/// ``DatabaseMigrator`` runs its migrations without a source: see
/// ``Database/withSchemaSource(_:execute:)``.
public protocol DatabaseSchemaSource: Sendable {
  /// Returns the columns that together identify a row of a view, and that are never NULL.
  ///
  /// - Parameters:
  ///   - db: The connection, for look-ups in the schema.
  ///   - view: The view.
  /// - Returns: The names of the columns; `nil` or no columns when the view has no key, or when
  ///   this source does not know it.
  /// - Throws: Any error, which makes the look-up of the key fail.
  func columnsForPrimaryKey(
    _ db: Database,
    inView view: DatabaseObjectID
  ) throws -> [String]?
}

extension DatabaseSchemaSource {
  /// Returns `nil`: this source knows no view.
  public func columnsForPrimaryKey(
    _ db: Database,
    inView view: DatabaseObjectID
  ) throws -> [String]? {
    nil
  }

  /// Returns a source that asks another one where this one returns `nil`.
  ///
  ///     configuration.schemaSource = LibraryKeys().then(Keys())
  public func then(_ other: some DatabaseSchemaSource) -> some DatabaseSchemaSource {
    ChainedSchemaSource(first: self, second: other)
  }
}

/// A source that asks another one where the first one does not know a view.
private struct ChainedSchemaSource<
  First: DatabaseSchemaSource,
  Second: DatabaseSchemaSource
>: DatabaseSchemaSource {
  let first: First
  let second: Second

  func columnsForPrimaryKey(
    _ db: Database,
    inView view: DatabaseObjectID
  ) throws -> [String]? {
    try first.columnsForPrimaryKey(db, inView: view)
      ?? second.columnsForPrimaryKey(db, inView: view)
  }
}

extension Database {
  /// Runs a closure in which a schema source replaces the source of the configuration.
  ///
  ///     migrator.registerMigration("Rename heroes") { db in
  ///       try db.withSchemaSource(Keys()) { try rename(db) }
  ///     }
  ///
  /// - Parameters:
  ///   - source: The source; `nil` for none.
  ///   - body: The closure.
  /// - Returns: The result of the closure.
  /// - Throws: The errors of the closure.
  public func withSchemaSource<Value>(
    _ source: (any DatabaseSchemaSource)?,
    execute body: () throws -> Value
  ) rethrows -> Value {
    // Without sources, the cache does not depend on the source.
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
