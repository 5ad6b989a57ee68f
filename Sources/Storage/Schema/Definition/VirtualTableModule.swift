/// A virtual table module of SQLite, with a Swift definition of its tables.
///
///     struct SpellFix: VirtualTableModule {
///       final class TableDefinition { var language = "" }
///       var moduleName: String { "spellfix1" }
///       func makeTableDefinition(configuration: VirtualTableConfiguration) -> TableDefinition {
///         TableDefinition()
///       }
///       func moduleArguments(for definition: TableDefinition, in db: Database) -> [String] {
///         ["edit_cost_table=\(definition.language)"]
///       }
///       func database(_: Database, didCreate _: String, using _: TableDefinition) {}
///     }
///     try db.create(virtualTable: "vocabulary", using: SpellFix()) { t in t.language = "en" }
///     // CREATE VIRTUAL TABLE "vocabulary" USING spellfix1(edit_cost_table=en)
public protocol VirtualTableModule<TableDefinition> {
  /// The type of the definition that the closure of
  /// ``Database/create(virtualTable:options:using:_:)`` configures.
  associatedtype TableDefinition

  /// The name of the module, in SQL.
  var moduleName: String { get }

  /// Creates the definition that the closure configures.
  func makeTableDefinition(configuration: VirtualTableConfiguration) -> TableDefinition

  /// Returns the arguments of the module, in SQL.
  func moduleArguments(for definition: TableDefinition, in db: Database) throws -> [String]

  /// Completes a new table, for example by creating triggers. It runs in the transaction that
  /// created the table; when it throws, the table is not created.
  func database(
    _ db: Database,
    didCreate tableName: String,
    using definition: TableDefinition
  ) throws
}

/// The properties of the table that a ``VirtualTableModule`` creates.
public struct VirtualTableConfiguration: Sendable {
  /// Whether an existing table is kept.
  public let ifNotExists: Bool

  /// Whether the table exists for this connection only.
  public let temporary: Bool
}

extension Database {
  /// Creates a virtual table.
  ///
  ///     try db.create(virtualTable: "area", using: "rtree(id, minX, maxX)")
  ///     // CREATE VIRTUAL TABLE "area" USING rtree(id, minX, maxX)
  ///
  /// - Parameters:
  ///   - name: The name of the table.
  ///   - options: Whether the table may already exist, and whether it is temporary.
  ///   - module: The module with its arguments, in SQL.
  /// - Throws: ``DatabaseError``, for example when SQLite does not know the module.
  public func create(
    virtualTable name: String,
    options: VirtualTableOptions = [],
    using module: String
  ) throws {
    try define { context in
      context.append("CREATE VIRTUAL TABLE ")
      if options.contains(.ifNotExists) { context.append("IF NOT EXISTS ") }
      // SQLite has no CREATE TEMPORARY VIRTUAL TABLE.
      if options.contains(.temporary) { context.append("temp.") }
      context.append(identifier: name)
      context.append(" USING \(module)")
    }
  }

  /// Creates a virtual table with a definition in Swift.
  ///
  /// The table and everything that the module creates with it are created together, or not at all.
  ///
  /// - Parameters:
  ///   - name: The name of the table.
  ///   - options: Whether the table may already exist, and whether it is temporary.
  ///   - module: The module.
  ///   - body: Configures the definition of the table.
  /// - Throws: Any error of `body` and of the module, and ``DatabaseError``.
  public func create<Module: VirtualTableModule>(
    virtualTable name: String,
    options: VirtualTableOptions = [],
    using module: Module,
    _ body: (Module.TableDefinition) throws -> Void = { _ in }
  ) throws {
    let configuration = VirtualTableConfiguration(
      ifNotExists: options.contains(.ifNotExists),
      temporary: options.contains(.temporary)
    )
    let definition = module.makeTableDefinition(configuration: configuration)
    try body(definition)
    let arguments = try module.moduleArguments(for: definition, in: self)
    let list = arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))"
    try inSavepoint {
      try create(virtualTable: name, options: options, using: module.moduleName + list)
      try module.database(self, didCreate: name, using: definition)
      return .commit
    }
  }
}
