extension SQLExpression {
  /// Returns the comparison of two values: `=`, or `IS` for NULL, which equals nothing.
  fileprivate static func equality(
    _ left: some SQLExpressible,
    _ right: some SQLExpressible
  ) -> SQLExpression {
    let (left, right) = (left.sqlExpression, right.sqlExpression)
    if right.node.value == .null { return .operation(.is, left, right) }
    if left.node.value == .null { return .operation(.is, right, left) }
    return .operation(.equal, left, right)
  }
}

// MARK: - =

/// The `=` operator.
///
///     Column("name") == "Arthur"
///     // "name" = 'Arthur'
public func == (
  left: some SQLSpecificExpressible,
  right: some SQLExpressible
) -> SQLExpression {
  .equality(left, right)
}

/// The `=` operator.
///
///     "Arthur" == Column("name")
///     // 'Arthur' = "name"
public func == (
  left: some SQLExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .equality(left, right)
}

/// The `=` operator.
///
///     Column("name") == Column("nickname")
///     // "name" = "nickname"
public func == (
  left: some SQLSpecificExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .equality(left, right)
}

/// `IS NULL`
///
///     Column("email") == nil
///     // "email" IS NULL
public func == (left: some SQLSpecificExpressible, right: SQLNull) -> SQLExpression {
  .operation(.is, left, SQLExpression.null)
}

// MARK: - <>

/// The `<>` operator.
///
///     Column("name") != "Arthur"
///     // "name" <> 'Arthur'
public func != (
  left: some SQLSpecificExpressible,
  right: some SQLExpressible
) -> SQLExpression {
  !SQLExpression.equality(left, right)
}

/// The `<>` operator.
///
///     "Arthur" != Column("name")
///     // 'Arthur' <> "name"
public func != (
  left: some SQLExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  !SQLExpression.equality(left, right)
}

/// The `<>` operator.
///
///     Column("name") != Column("nickname")
///     // "name" <> "nickname"
public func != (
  left: some SQLSpecificExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  !SQLExpression.equality(left, right)
}

/// `IS NOT NULL`
///
///     Column("email") != nil
///     // "email" IS NOT NULL
public func != (left: some SQLSpecificExpressible, right: SQLNull) -> SQLExpression {
  .operation(.isNot, left, SQLExpression.null)
}

// MARK: - IS

/// The `IS` operator.
///
///     Column("score") === 1000
///     // "score" IS 1000
public func === (
  left: some SQLSpecificExpressible,
  right: some SQLExpressible
) -> SQLExpression {
  .operation(.is, left, right)
}

/// The `IS` operator.
///
///     1000 === Column("score")
///     // 1000 IS "score"
public func === (
  left: some SQLExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .operation(.is, left, right)
}

/// The `IS` operator.
///
///     Column("score") === Column("limit")
///     // "score" IS "limit"
public func === (
  left: some SQLSpecificExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .operation(.is, left, right)
}

/// `IS NULL`
///
///     Column("email") === nil
///     // "email" IS NULL
public func === (left: some SQLSpecificExpressible, right: SQLNull) -> SQLExpression {
  .operation(.is, left, SQLExpression.null)
}

// MARK: - IS NOT

/// The `IS NOT` operator.
///
///     Column("score") !== 1000
///     // "score" IS NOT 1000
public func !== (
  left: some SQLSpecificExpressible,
  right: some SQLExpressible
) -> SQLExpression {
  .operation(.isNot, left, right)
}

/// The `IS NOT` operator.
///
///     1000 !== Column("score")
///     // 1000 IS NOT "score"
public func !== (
  left: some SQLExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .operation(.isNot, left, right)
}

/// The `IS NOT` operator.
///
///     Column("score") !== Column("limit")
///     // "score" IS NOT "limit"
public func !== (
  left: some SQLSpecificExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .operation(.isNot, left, right)
}

/// `IS NOT NULL`
///
///     Column("email") !== nil
///     // "email" IS NOT NULL
public func !== (left: some SQLSpecificExpressible, right: SQLNull) -> SQLExpression {
  .operation(.isNot, left, SQLExpression.null)
}

// A `nil` literal on the left.

/// `IS NULL`
///
///     nil == Column("email")
///     // "email" IS NULL
public func == (left: SQLNull, right: some SQLSpecificExpressible) -> SQLExpression {
  right == left
}

/// `IS NOT NULL`
///
///     nil != Column("email")
///     // "email" IS NOT NULL
public func != (left: SQLNull, right: some SQLSpecificExpressible) -> SQLExpression {
  right != left
}

/// `IS NULL`
///
///     nil === Column("email")
///     // "email" IS NULL
public func === (left: SQLNull, right: some SQLSpecificExpressible) -> SQLExpression {
  right === left
}

/// `IS NOT NULL`
///
///     nil !== Column("email")
///     // "email" IS NOT NULL
public func !== (left: SQLNull, right: some SQLSpecificExpressible) -> SQLExpression {
  right !== left
}

/// `IS NULL`, also for a column of a non-optional type.
///
///     nil == TypedColumn<Int>("score")
///     // "score" IS NULL
public func == <Right: TypedExpressible>(
  left: SQLNull,
  right: Right
) -> TypedExpression<Bool> where Right.Value.Unwrapped == Right.Value {
  right == left
}

/// `IS NOT NULL`, also for a column of a non-optional type.
///
///     nil != TypedColumn<Int>("score")
///     // "score" IS NOT NULL
public func != <Right: TypedExpressible>(
  left: SQLNull,
  right: Right
) -> TypedExpression<Bool> where Right.Value.Unwrapped == Right.Value {
  right != left
}

/// The type of a `nil` literal that is compared or assigned.
///
///     Column("email") == nil
///     // "email" IS NULL
public struct SQLNull: ExpressibleByNilLiteral, Sendable {
  /// Creates the value of a `nil` literal.
  public init(nilLiteral: ()) {}
}
