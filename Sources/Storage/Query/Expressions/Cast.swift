extension Database {
  /// The type of a column, as it is declared.
  public struct ColumnType: RawRepresentable, Hashable, Sendable {
    /// The name of the type, as SQL.
    public let rawValue: String

    /// Makes a type of its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
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
    /// `ANY`, which strict tables take as it is.
    public static let any = ColumnType(rawValue: "ANY")
    /// `JSONTEXT`
    public static let jsonText = ColumnType(rawValue: "JSONTEXT")
    /// `JSONB`
    public static let jsonb = ColumnType(rawValue: "JSONB")
  }
}

/// The value, converted to a type.
///
///     Player.select { cast($0.score, as: .text) }
///     // SELECT CAST("score" AS TEXT) FROM "player"
public func cast(
  _ value: some SQLSpecificExpressible,
  as type: Database.ColumnType
) -> SQLExpression {
  SQLExpression(Cast(expression: value.node, type: type))
}

/// `CAST("score" AS TEXT)`
private struct Cast: ExpressionPart {
  let expression: ExpressionNode
  let type: Database.ColumnType

  var isOperand: Bool { true }
  var operands: [ExpressionNode] { [expression] }

  func write(to context: inout SQLContext) throws {
    context.append("CAST(")
    try expression.write(to: &context)
    context.append(" AS \(type.rawValue))")
  }
}
