/// A column of a table, as the schema declares it.
public struct ColumnInfo: Hashable, Sendable {
  /// The name, spelled as in the declaration.
  public let name: String

  /// The declared type, such as `INTEGER` or `VARCHAR(20)`; empty when there is none.
  public let type: String

  /// Whether the column is declared `NOT NULL`.
  public let isNotNull: Bool

  /// The default value, as SQL; `nil` when there is none.
  public let defaultValueSQL: String?

  /// The position in the primary key, counted from 1; 0 for columns outside it.
  public let primaryKeyIndex: Int

  /// Whether the value is computed from other columns, and cannot be written.
  public var isGenerated: Bool { generation != nil }

  /// When the value of a generated column is computed; `nil` for ordinary columns.
  public let generation: ColumnDefinition.GeneratedColumnQualification?

  /// - Throws: ``RowDecodingError`` when a damaged schema has text that is not valid UTF-8.
  init(_ column: DeclaredColumn) throws {
    try column.checkTexts()
    name = column.name
    type = column.type
    isNotNull = column.isNotNull
    defaultValueSQL = column.defaultSQL
    primaryKeyIndex = column.keyPosition
    generation =
      switch column.kind {
      case .virtual: .virtual
      case .stored: .stored
      case .plain, .hidden: nil
      }
  }

  /// Whether the column has the given name, ignoring case.
  func `is`(_ name: String) -> Bool { self.name.asciiLowercased == name.asciiLowercased }
}

/// A column as SQLite describes it. Nothing else reads this pragma:
/// https://www.sqlite.org/pragma.html#pragma_table_xinfo
package struct DeclaredColumn: Sendable {
  /// Whether a row has a value of the column of its own.
  package enum Kind: Int {
    case plain
    /// A column of a virtual table that `SELECT *` omits.
    case hidden
    /// A generated column that is computed when it is read.
    case virtual
    /// A generated column that is computed when the row is written.
    case stored
  }

  /// The name. U+FFFD replaces bytes that are not UTF-8.
  package let name: String
  /// The declared type; empty when there is none.
  let type: String
  /// The number of the column in the declaration of the table, counted from 0.
  package let ordinal: Int
  /// Whether the column is declared `NOT NULL`.
  package let isNotNull: Bool
  /// The default value, as SQL; `nil` when there is none.
  package let defaultSQL: String?
  /// The position in the primary key, counted from 1; 0 for columns outside it.
  package let keyPosition: Int
  package let kind: Kind
  /// The errors of a name and of other texts that are not UTF-8.
  private let nameError: (any Error)?
  private let textError: (any Error)?

  /// Whether `SELECT *` omits the column.
  package var isHidden: Bool { kind == .hidden }

  /// Whether the value is computed from other columns.
  var isGenerated: Bool { kind == .virtual || kind == .stored }

  package var affinity: ColumnAffinity { ColumnAffinity(type: type) }

  private init(_ row: Row) throws {
    func error(in columns: String...) -> (any Error)? {
      do {
        for column in columns { _ = try row.decode(String?.self, forColumn: column) }
        return nil
      } catch {
        return error
      }
    }
    name = row.schemaText("name") ?? ""
    type = row.schemaText("type") ?? ""
    ordinal = try row.decode(forColumn: "cid")
    isNotNull = try row.decode(forColumn: "notnull")
    defaultSQL = row.schemaText("dflt_value")
    keyPosition = try row.decode(forColumn: "pk")
    kind = Kind(rawValue: try row.decode(forColumn: "hidden")) ?? .plain
    nameError = error(in: "name")
    textError = error(in: "type", "dflt_value")
  }

  /// Throws if the name is not valid UTF-8, so that it may be the name of several columns.
  package func checkName() throws {
    if let nameError { throw nameError }
  }

  /// Throws if the name or another text is not valid UTF-8.
  func checkTexts() throws {
    try checkName()
    if let textError { throw textError }
  }

  /// Reads the columns of a table or a view in the order of their declaration; none if the table
  /// does not exist.
  ///
  /// A statement is compiled in half of the time of a query over the pragma's virtual table. SQLite
  /// reads the columns while it compiles the statement, so that a compiled one is not used again.
  static func fetchAll(_ db: Database, of table: TableName) throws -> [Self] {
    let schema = table.schema.quotedDatabaseIdentifier
    let name = table.name.quotedDatabaseIdentifier
    let statement = try db.makeStatement(sql: "PRAGMA \(schema).table_xinfo(\(name))")
    return try Row.fetchAll(statement).map(Self.init)
  }

  /// Reads the columns of a table whose name is not UTF-8, and is passed on inside SQLite.
  ///
  /// - Parameters:
  ///   - db: The connection.
  ///   - entry: The row id of the table in `sqlite_schema`.
  ///   - schema: The database that has the table.
  /// - Returns: The columns in the order of their declaration.
  /// - Throws: ``DatabaseError``.
  static func fetchAll(_ db: Database, ofEntry entry: Int64, in schema: String) throws -> [Self] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT info.* FROM \(schema.quotedDatabaseIdentifier).sqlite_master AS entry,
          pragma_table_xinfo(entry.name, ?) AS info
        WHERE entry.rowid = ?
        """,
      arguments: [schema, entry]
    ).map(Self.init)
  }
}
