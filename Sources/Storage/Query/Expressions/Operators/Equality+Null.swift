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
