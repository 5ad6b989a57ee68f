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
