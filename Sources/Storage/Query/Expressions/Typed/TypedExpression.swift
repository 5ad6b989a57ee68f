/// A type that means SQL whose values have a known Swift type. Operators between different types don't
/// compile:
///
///     let id = TypedColumn<Int64>("id")
///     id == 12
///     // "id" = 12
///     id == "twelve"  // does not compile
///
/// ``untyped`` is the way out. An `Optional` type is that of a column that can be NULL.
public protocol TypedExpressible<Value>: TypedOperand, SQLFunctionArgument, SQLSelectable,
  SQLOrderingTerm
where OperandValue == Value {
  /// The type of the values.
  associatedtype Value: DatabaseValueConvertible
}

/// What has one Swift type where SQL is built: a typed column or expression, or a value.
public protocol TypedOperand<OperandValue>: SQLExpressible {
  /// The type of the values.
  associatedtype OperandValue: DatabaseValueConvertible
}

extension TypedExpressible {
  /// The expression without its type, which combines with everything.
  ///
  ///     TypedColumn<Int64>("id").untyped == "twelve"
  ///     // "id" = 'twelve'
  public var untyped: SQLExpression { sqlExpression }

  /// The expression as a result column.
  ///
  ///     Player.select(TypedColumn<String>("name"))
  ///     // SELECT "name" FROM "player"
  public var sqlSelection: SQLSelection { untyped.sqlSelection }

  /// The expression as an ordering term.
  ///
  ///     Player.order(TypedColumn<String>("name"))
  ///     // SELECT * FROM "player" ORDER BY "name"
  public var sqlOrdering: SQLOrdering { untyped.sqlOrdering }

  /// Ascending: the smallest value first.
  ///
  ///     Player.order(TypedColumn<Int>("score").asc)
  ///     // SELECT * FROM "player" ORDER BY "score" ASC
  public var asc: SQLOrdering { untyped.asc }

  /// Descending: the largest value first.
  ///
  ///     Player.order(TypedColumn<Int>("score").desc)
  ///     // SELECT * FROM "player" ORDER BY "score" DESC
  public var desc: SQLOrdering { untyped.desc }

  /// The expression as a result column with a name of its own.
  ///
  ///     Player.select(TypedColumn<Int>("score").forKey("points"))
  ///     // SELECT "score" AS "points" FROM "player"
  public func forKey(_ name: String) -> SQLSelection { untyped.forKey(name) }
}

/// An expression whose values have a known Swift type.
public struct TypedExpression<Value: DatabaseValueConvertible>: TypedExpressible, Sendable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias OperandValue = Value

  /// The expression without its type.
  public let sqlExpression: SQLExpression

  /// Gives an expression a type, for which nobody vouches but you.
  ///
  ///     TypedExpression<Int>(SQL("LENGTH(name)")) > 3
  ///     // (LENGTH(name)) > 3
  public init(_ expression: some SQLSpecificExpressible) {
    sqlExpression = expression.sqlExpression
  }
}

/// A column whose values have a known Swift type. An `Optional` type is that of a column that can be NULL.
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

  /// Makes a column of its name.
  public init(_ name: String) {
    self.name = name
  }

  /// Makes a column of a coding key.
  public init(_ key: some CodingKey) {
    name = key.stringValue
  }

  /// The column without its type.
  public var column: Column { Column(name) }

  /// The expression without its type.
  public var sqlExpression: SQLExpression { column.sqlExpression }
}

extension TypedExpression: SQLCondition where Value.Unwrapped == Bool {}
extension TypedColumn: SQLCondition where Value.Unwrapped == Bool {}
