extension SQLExpression {
  /// An operator that joins any number of expressions.
  ///
  ///     [Column("a"), Column("b"), Column("c")].joined(operator: .and)
  ///     // "a" AND "b" AND "c"
  public struct AssociativeBinaryOperator: Hashable, Sendable {
    let sql: String
    /// The result for an empty list of operands.
    let neutral: DatabaseValue
    /// Whether the result is the same however the operands are grouped. Sums and products of
    /// floating point numbers are not.
    let isExact: Bool

    /// `+`
    public static let add = Self(sql: "+", neutral: 0.databaseValue, isExact: false)
    /// `*`
    public static let multiply = Self(sql: "*", neutral: 1.databaseValue, isExact: false)
    /// `AND`
    public static let and = Self(sql: "AND", neutral: 1.databaseValue, isExact: true)
    /// `OR`
    public static let or = Self(sql: "OR", neutral: 0.databaseValue, isExact: true)
    /// `||`, which concatenates strings.
    public static let concat = Self(sql: "||", neutral: "".databaseValue, isExact: true)
    /// `&`
    public static let bitwiseAnd = Self(sql: "&", neutral: (-1).databaseValue, isExact: true)
    /// `|`
    public static let bitwiseOr = Self(sql: "|", neutral: 0.databaseValue, isExact: true)
  }
}
