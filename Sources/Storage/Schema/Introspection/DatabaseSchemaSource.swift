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
