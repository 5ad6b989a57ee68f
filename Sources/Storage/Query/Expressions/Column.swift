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
