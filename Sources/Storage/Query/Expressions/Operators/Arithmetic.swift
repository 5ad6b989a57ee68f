// MARK: - +

/// The `+` operator, which adds numbers: SQLite reads a text as the number at its beginning. To
/// concatenate strings, use ``SQLExpression/AssociativeBinaryOperator/concat`` or ``TypedColumn``.
///
///     Column("score") + 10
///     // "score" + 10
public func + (
  left: some SQLSpecificExpressible,
  right: some SQLExpressible
) -> SQLExpression {
  .chain(.add, [left.node, right.node])
}

/// The `+` operator.
///
///     10 + Column("score")
///     // 10 + "score"
public func + (
  left: some SQLExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .chain(.add, [left.node, right.node])
}

/// The `+` operator.
///
///     Column("score") + Column("bonus")
///     // "score" + "bonus"
public func + (
  left: some SQLSpecificExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .chain(.add, [left.node, right.node])
}

// MARK: - -

/// The `-` operator.
///
///     Column("score") - 10
///     // "score" - 10
public func - (
  left: some SQLSpecificExpressible,
  right: some SQLExpressible
) -> SQLExpression {
  .operation(.subtract, left, right)
}

/// The `-` operator.
///
///     10 - Column("score")
///     // 10 - "score"
public func - (
  left: some SQLExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .operation(.subtract, left, right)
}

/// The `-` operator.
///
///     Column("score") - Column("bonus")
///     // "score" - "bonus"
public func - (
  left: some SQLSpecificExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .operation(.subtract, left, right)
}

// MARK: - *

/// The `*` operator.
///
///     Column("score") * 10
///     // "score" * 10
public func * (
  left: some SQLSpecificExpressible,
  right: some SQLExpressible
) -> SQLExpression {
  .chain(.multiply, [left.node, right.node])
}

/// The `*` operator.
///
///     10 * Column("score")
///     // 10 * "score"
public func * (
  left: some SQLExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .chain(.multiply, [left.node, right.node])
}

/// The `*` operator.
///
///     Column("score") * Column("bonus")
///     // "score" * "bonus"
public func * (
  left: some SQLSpecificExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .chain(.multiply, [left.node, right.node])
}

// MARK: - /

/// The `/` operator.
///
///     Column("score") / 10
///     // "score" / 10
public func / (
  left: some SQLSpecificExpressible,
  right: some SQLExpressible
) -> SQLExpression {
  .operation(.divide, left, right)
}

/// The `/` operator.
///
///     10 / Column("score")
///     // 10 / "score"
public func / (
  left: some SQLExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .operation(.divide, left, right)
}

/// The `/` operator.
///
///     Column("score") / Column("bonus")
///     // "score" / "bonus"
public func / (
  left: some SQLSpecificExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .operation(.divide, left, right)
}

// MARK: - %

/// The `%` operator.
///
///     Column("score") % 10
///     // "score" % 10
public func % (
  left: some SQLSpecificExpressible,
  right: some SQLExpressible
) -> SQLExpression {
  .operation(.remainder, left, right)
}

/// The `%` operator.
///
///     10 % Column("score")
///     // 10 % "score"
public func % (
  left: some SQLExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .operation(.remainder, left, right)
}

/// The `%` operator.
///
///     Column("score") % Column("bonus")
///     // "score" % "bonus"
public func % (
  left: some SQLSpecificExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .operation(.remainder, left, right)
}
