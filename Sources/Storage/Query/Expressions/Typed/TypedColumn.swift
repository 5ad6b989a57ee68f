/// A column whose values have a known Swift type. The type of a column that can be NULL is
/// `Optional`.
///
///     enum Columns {
///       static let id = TypedColumn<Int64>("id")
///       static let email = TypedColumn<String?>("email")
///     }
///     Player.filter { $0.email == nil && $0.id > 12 }
///     // SELECT * FROM "player" WHERE ("email" IS NULL) AND ("id" > 12)
public struct TypedColumn<Value: DatabaseValueConvertible>: TypedExpressible, Sendable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias OperandValue = Value

  /// The name of the column, without quotes.
  public let name: String

  /// Creates a column from its name.
  public init(_ name: String) {
    self.name = name
  }

  /// Creates a column named after a coding key.
  public init(_ key: some CodingKey) {
    name = key.stringValue
  }

  /// The column without its type.
  public var column: Column { Column(name) }

  /// The expression without its type.
  public var sqlExpression: SQLExpression { column.sqlExpression }
}

extension TypedColumn: SQLCondition where Value.Unwrapped == Bool {}
