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
