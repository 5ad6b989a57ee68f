// MARK: - <

/// The `<` operator.
///
///     Column("score") < 1000
///     // "score" < 1000
public func < (
  left: some SQLSpecificExpressible,
  right: some SQLExpressible
) -> SQLExpression {
  .operation(.less, left, right)
}

/// The `<` operator.
///
///     1000 < Column("score")
///     // 1000 < "score"
public func < (
  left: some SQLExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .operation(.less, left, right)
}

/// The `<` operator.
///
///     Column("score") < Column("limit")
///     // "score" < "limit"
public func < (
  left: some SQLSpecificExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .operation(.less, left, right)
}

// MARK: - <=

/// The `<=` operator.
///
///     Column("score") <= 1000
///     // "score" <= 1000
public func <= (
  left: some SQLSpecificExpressible,
  right: some SQLExpressible
) -> SQLExpression {
  .operation(.lessOrEqual, left, right)
}

/// The `<=` operator.
///
///     1000 <= Column("score")
///     // 1000 <= "score"
public func <= (
  left: some SQLExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .operation(.lessOrEqual, left, right)
}

/// The `<=` operator.
///
///     Column("score") <= Column("limit")
///     // "score" <= "limit"
public func <= (
  left: some SQLSpecificExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .operation(.lessOrEqual, left, right)
}

// MARK: - >

/// The `>` operator.
///
///     Column("score") > 1000
///     // "score" > 1000
public func > (
  left: some SQLSpecificExpressible,
  right: some SQLExpressible
) -> SQLExpression {
  .operation(.greater, left, right)
}

/// The `>` operator.
///
///     1000 > Column("score")
///     // 1000 > "score"
public func > (
  left: some SQLExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .operation(.greater, left, right)
}

/// The `>` operator.
///
///     Column("score") > Column("limit")
///     // "score" > "limit"
public func > (
  left: some SQLSpecificExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .operation(.greater, left, right)
}

// MARK: - >=

/// The `>=` operator.
///
///     Column("score") >= 1000
///     // "score" >= 1000
public func >= (
  left: some SQLSpecificExpressible,
  right: some SQLExpressible
) -> SQLExpression {
  .operation(.greaterOrEqual, left, right)
}

/// The `>=` operator.
///
///     1000 >= Column("score")
///     // 1000 >= "score"
public func >= (
  left: some SQLExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .operation(.greaterOrEqual, left, right)
}

/// The `>=` operator.
///
///     Column("score") >= Column("limit")
///     // "score" >= "limit"
public func >= (
  left: some SQLSpecificExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .operation(.greaterOrEqual, left, right)
}

// An enum with a raw value is a value of the database if it declares so. These members do not
// compile, and name the correct code.

/// Declare the type as a value: `enum Color: String, DatabaseValueConvertible`.
@available(
  *,
  unavailable,
  message: """
    the type is no value of the database: declare enum Color: String, DatabaseValueConvertible, or \
    compare with .rawValue
    """
)
@_disfavoredOverload
public func == (
  left: some SQLSpecificExpressible,
  right: some RawRepresentable
) -> SQLExpression {
  left.sqlExpression
}

/// Declare the type as a value: `enum Color: String, DatabaseValueConvertible`.
@available(
  *,
  unavailable,
  message: """
    the type is no value of the database: declare enum Color: String, DatabaseValueConvertible, or \
    compare with .rawValue
    """
)
@_disfavoredOverload
public func != (
  left: some SQLSpecificExpressible,
  right: some RawRepresentable
) -> SQLExpression {
  left.sqlExpression
}

extension Sequence where Element: RawRepresentable {
  /// Declare the type as a value: `enum Color: String, DatabaseValueConvertible`.
  @available(
    *,
    unavailable,
    message: """
      the type is no value of the database: declare enum Color: String, DatabaseValueConvertible, or \
      map the elements to their rawValue
      """
  )
  @_disfavoredOverload
  public func contains(_ element: some SQLSpecificExpressible) -> SQLExpression {
    element.sqlExpression
  }
}

extension ColumnExpression {
  /// Declare the type as a value: `enum Color: String, DatabaseValueConvertible`.
  @available(
    *,
    unavailable,
    message: """
      the type is no value of the database: declare enum Color: String, DatabaseValueConvertible, or \
      assign the rawValue
      """
  )
  @_disfavoredOverload
  public func set(to value: (some RawRepresentable)?) -> ColumnAssignment {
    ColumnAssignment(name, .null)
  }
}
