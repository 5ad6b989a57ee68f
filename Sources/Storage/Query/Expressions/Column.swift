/// A type that represents a column by its name.
///
///     enum Columns: String, ColumnExpression {
///       case id, name, score
///     }
public protocol ColumnExpression: NamedColumn, SQLSpecificExpressible, SQLCondition {
  /// The name of the column, without quotes.
  var name: String { get }
}

extension ColumnExpression {
  /// The column as an expression.
  ///
  ///     Column("order").sqlExpression
  ///     // "order"
  public var sqlExpression: SQLExpression { SQLExpression(ColumnReference(name: name)) }

  /// The column as an alias in the statement's result. A request that joins tables writes it
  /// without the name of a table.
  ///
  ///     request.annotated { count($0.id).forKey("total") }.order { _ in Column("total").detached }
  ///     // SELECT *, COUNT("id") AS "total" FROM "player" ORDER BY "total"
  public var detached: SQLExpression {
    SQLExpression(ColumnReference(name: name, isDetached: true))
  }
}

extension ColumnExpression where Self: RawRepresentable<String> {
  /// The name of the column: the raw value.
  public var name: String { rawValue }
}

/// A column that accepts values of any type.
///
///     Player.filter(Column("score") >= 1000)
///     // SELECT * FROM "player" WHERE "score" >= 1000
///
/// See ``TypedColumn`` for columns that accept values of one type only.
public struct Column: ColumnExpression, Sendable {
  /// The name of the column, without quotes.
  public let name: String

  /// Creates a column from its name.
  ///
  ///     Column("order")
  ///     // "order"
  public init(_ name: String) {
    self.name = name
  }

  /// Creates a column named after a coding key.
  ///
  ///     Column(CodingKeys.id)
  ///     // "id"
  public init(_ key: some CodingKey) {
    name = key.stringValue
  }

  /// The row id, which most tables have without a declaration.
  ///
  ///     Player.select(.allColumns, .rowID)
  ///     // SELECT *, "rowid" FROM "player"
  public static let rowID = Column("rowid")

  /// The rank of a match in a full-text table: the best matches have the lowest rank.
  ///
  ///     Document.matching(pattern).order(Column.rank)
  ///     // SELECT * FROM "document" WHERE "document" MATCH 'sqlite' ORDER BY "rank"
  public static let rank = Column("rank")
}

extension SQLSelectable where Self == Column {
  /// The row id, which most tables have without a declaration.
  ///
  ///     Player.select(.allColumns, .rowID)
  ///     // SELECT *, "rowid" FROM "player"
  public static var rowID: Column { Column.rowID }
}

/// A column by its name: a ``TypedColumn``, or a column whose values have no known type.
public protocol NamedColumn {
  /// The name of the column, without quotes.
  var name: String { get }
}

/// A column in an expression: `"score"`, or `"player"."score"` where several tables are read.
struct ColumnReference: ExpressionPart {
  let name: String
  /// Whether the name belongs to no table.
  var isDetached = false
  var isJSONText = false

  var isOperand: Bool { true }

  func write(to context: inout SQLContext) throws {
    if isDetached {
      try context.append(detached: name)
    } else {
      try context.append(column: name)
    }
  }
}

/// The columns of the primary key: `"id"`, or `"playerID", "countryCode"`.
struct PrimaryKeyColumns: ExpressionPart {
  var isOperand: Bool { true }

  func write(to context: inout SQLContext) throws {
    guard let db = context.db else { return context.append("<primary key>") }
    let table = try context.keyedTable
    let columns = try db.primaryKey(table.tableName).columns
    for (index, column) in columns.enumerated() {
      if index > 0 { context.append(", ") }
      try context.append(column: column)
    }
  }
}

extension Database {
  /// The declared type of a column.
  public struct ColumnType: RawRepresentable, Hashable, Sendable {
    /// The name of the type in SQL.
    public let rawValue: String

    /// Creates a type from its name in SQL.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Creates a type from its name in SQL.
    public init(_ rawValue: String) {
      self.init(rawValue: rawValue)
    }

    /// `TEXT`
    public static let text = ColumnType(rawValue: "TEXT")
    /// `INTEGER`
    public static let integer = ColumnType(rawValue: "INTEGER")
    /// `DOUBLE`
    public static let double = ColumnType(rawValue: "DOUBLE")
    /// `REAL`
    public static let real = ColumnType(rawValue: "REAL")
    /// `NUMERIC`
    public static let numeric = ColumnType(rawValue: "NUMERIC")
    /// `BOOLEAN`
    public static let boolean = ColumnType(rawValue: "BOOLEAN")
    /// `BLOB`
    public static let blob = ColumnType(rawValue: "BLOB")
    /// `DATE`
    public static let date = ColumnType(rawValue: "DATE")
    /// `DATETIME`
    public static let datetime = ColumnType(rawValue: "DATETIME")
    /// `ANY`: a column of a strict table that stores values without conversion.
    public static let any = ColumnType(rawValue: "ANY")
    /// `TEXT`: for JSON as text.
    public static let jsonText = ColumnType(rawValue: "TEXT")
    /// `BLOB`: for JSON in SQLite's binary format.
    public static let jsonb = ColumnType(rawValue: "BLOB")
  }
}
