/// A module of SQLite that makes virtual tables, and how their definitions are written in Swift.
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
  /// What the closure that defines a table is given.
  associatedtype TableDefinition

  /// The name of the module, as SQL.
  var moduleName: String { get }

  /// Makes what the closure that defines a table is given.
  func makeTableDefinition(configuration: VirtualTableConfiguration) -> TableDefinition

  /// The arguments of the module, as SQL.
  func moduleArguments(for definition: TableDefinition, in db: Database) throws -> [String]

  /// Does what a table needs besides, such as creating triggers. It runs in the transaction that has created
  /// the table; when it throws, there is no table.
  func database(
    _ db: Database,
    didCreate tableName: String,
    using definition: TableDefinition
  ) throws
}

/// What a ``VirtualTableModule`` is told of the table that it makes.
public struct VirtualTableConfiguration: Sendable {
  /// Whether a table that is there already is left as it is.
  public let ifNotExists: Bool
}

/// What kind of virtual table is created.
public struct VirtualTableOptions: OptionSet, Sendable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public let rawValue: Int

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// A table that is there already is left as it is.
  public static let ifNotExists = VirtualTableOptions(rawValue: 1 << 0)
}

extension Database {
  /// Creates a virtual table.
  ///
  ///     try db.create(virtualTable: "area", using: "rtree(id, minX, maxX)")
  ///     // CREATE VIRTUAL TABLE "area" USING rtree(id, minX, maxX)
  ///
  /// - Parameters:
  ///   - name: The name of the table.
  ///   - options: Whether it may be there already.
  ///   - module: The module, with its arguments, as SQL.
  /// - Throws: ``DatabaseError``, also when SQLite does not know the module.
  public func create(
    virtualTable name: String,
    options: VirtualTableOptions = [],
    using module: String
  ) throws {
    try define { context in
      context.append("CREATE VIRTUAL TABLE ")
      if options.contains(.ifNotExists) { context.append("IF NOT EXISTS ") }
      context.append(identifier: name)
      context.append(" USING \(module)")
    }
  }

  /// Creates a virtual table that is defined in Swift.
  ///
  /// The table, and what the module creates with it, are created together, or not at all.
  ///
  /// - Parameters:
  ///   - name: The name of the table.
  ///   - options: Whether it may be there already.
  ///   - module: The module.
  ///   - body: Defines the table, in the way of the module.
  /// - Throws: What `body` and the module throw, and ``DatabaseError``.
  public func create<Module: VirtualTableModule>(
    virtualTable name: String,
    options: VirtualTableOptions = [],
    using module: Module,
    _ body: (Module.TableDefinition) throws -> Void = { _ in }
  ) throws {
    let configuration = VirtualTableConfiguration(ifNotExists: options.contains(.ifNotExists))
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
