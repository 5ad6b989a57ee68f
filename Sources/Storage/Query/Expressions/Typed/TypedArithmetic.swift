// Arithmetic operators between values of one type.

// MARK: - +

/// The `+` operator of numbers, and the `||` operator of strings.
///
///     TypedColumn<Int>("score") + 10
///     // "score" + 10
///
///     TypedColumn<String>("name") + " Jr."
///     // "name" || ' Jr.'
public func + <Left: TypedExpressible>(
  left: Left,
  right: Left.Value
) -> TypedExpression<Left.Value> where Left.Value.Unwrapped: SQLAddable {
  TypedExpression(
    SQLExpression.chain(
      Left.Value.Unwrapped.sqlAddition,
      [left.node, right.node]
    )
  )
}

/// The `+` operator of numbers, and the `||` operator of strings.
///
///     10 + TypedColumn<Int>("score")
///     // 10 + "score"
public func + <Right: TypedExpressible>(
  left: Right.Value,
  right: Right
) -> TypedExpression<Right.Value> where Right.Value.Unwrapped: SQLAddable {
  TypedExpression(
    SQLExpression.chain(
      Right.Value.Unwrapped.sqlAddition,
      [left.node, right.node]
    )
  )
}

/// The `+` operator of numbers, and the `||` operator of strings.
///
///     TypedColumn<Int>("score") + TypedColumn<Int>("other")
///     // "score" + "other"
public func + <Left: TypedExpressible, Right: TypedExpressible>(
  left: Left,
  right: Right
) -> TypedExpression<Left.Value>
where Left.Value == Right.Value, Left.Value.Unwrapped: SQLAddable {
  TypedExpression(
    SQLExpression.chain(
      Left.Value.Unwrapped.sqlAddition,
      [left.node, right.node]
    )
  )
}

// MARK: - -

/// The `-` operator.
///
///     TypedColumn<Int>("score") - 10
///     // "score" - 10
public func - <Left: TypedExpressible>(
  left: Left,
  right: Left.Value
) -> TypedExpression<Left.Value> where Left.Value.Unwrapped: SQLNumber {
  TypedExpression(left.untyped - right)
}

/// The `-` operator.
///
///     10 - TypedColumn<Int>("score")
///     // 10 - "score"
public func - <Right: TypedExpressible>(
  left: Right.Value,
  right: Right
) -> TypedExpression<Right.Value> where Right.Value.Unwrapped: SQLNumber {
  TypedExpression(left - right.untyped)
}

/// The `-` operator.
///
///     TypedColumn<Int>("score") - TypedColumn<Int>("other")
///     // "score" - "other"
public func - <Left: TypedExpressible, Right: TypedExpressible>(
  left: Left,
  right: Right
) -> TypedExpression<Left.Value>
where Left.Value == Right.Value, Left.Value.Unwrapped: SQLNumber {
  TypedExpression(left.untyped - right.untyped)
}

// MARK: - *

/// The `*` operator.
///
///     TypedColumn<Int>("score") * 10
///     // "score" * 10
public func * <Left: TypedExpressible>(
  left: Left,
  right: Left.Value
) -> TypedExpression<Left.Value> where Left.Value.Unwrapped: SQLNumber {
  TypedExpression(left.untyped * right)
}

/// The `*` operator.
///
///     10 * TypedColumn<Int>("score")
///     // 10 * "score"
public func * <Right: TypedExpressible>(
  left: Right.Value,
  right: Right
) -> TypedExpression<Right.Value> where Right.Value.Unwrapped: SQLNumber {
  TypedExpression(left * right.untyped)
}

/// The `*` operator.
///
///     TypedColumn<Int>("score") * TypedColumn<Int>("other")
///     // "score" * "other"
public func * <Left: TypedExpressible, Right: TypedExpressible>(
  left: Left,
  right: Right
) -> TypedExpression<Left.Value>
where Left.Value == Right.Value, Left.Value.Unwrapped: SQLNumber {
  TypedExpression(left.untyped * right.untyped)
}

// MARK: - /

/// The `/` operator.
///
///     TypedColumn<Int>("score") / 10
///     // "score" / 10
public func / <Left: TypedExpressible>(
  left: Left,
  right: Left.Value
) -> TypedExpression<Left.Value> where Left.Value.Unwrapped: SQLNumber {
  TypedExpression(left.untyped / right)
}

/// The `/` operator.
///
///     10 / TypedColumn<Int>("score")
///     // 10 / "score"
public func / <Right: TypedExpressible>(
  left: Right.Value,
  right: Right
) -> TypedExpression<Right.Value> where Right.Value.Unwrapped: SQLNumber {
  TypedExpression(left / right.untyped)
}

/// The `/` operator.
///
///     TypedColumn<Int>("score") / TypedColumn<Int>("other")
///     // "score" / "other"
public func / <Left: TypedExpressible, Right: TypedExpressible>(
  left: Left,
  right: Right
) -> TypedExpression<Left.Value>
where Left.Value == Right.Value, Left.Value.Unwrapped: SQLNumber {
  TypedExpression(left.untyped / right.untyped)
}

// MARK: - %

/// The `%` operator.
///
///     TypedColumn<Int>("score") % 10
///     // "score" % 10
public func % <Left: TypedExpressible>(
  left: Left,
  right: Left.Value
) -> TypedExpression<Left.Value> where Left.Value.Unwrapped: SQLInteger {
  TypedExpression(left.untyped % right)
}

/// The `%` operator.
///
///     10 % TypedColumn<Int>("score")
///     // 10 % "score"
public func % <Right: TypedExpressible>(
  left: Right.Value,
  right: Right
) -> TypedExpression<Right.Value> where Right.Value.Unwrapped: SQLInteger {
  TypedExpression(left % right.untyped)
}

/// The `%` operator.
///
///     TypedColumn<Int>("score") % TypedColumn<Int>("other")
///     // "score" % "other"
public func % <Left: TypedExpressible, Right: TypedExpressible>(
  left: Left,
  right: Right
) -> TypedExpression<Left.Value>
where Left.Value == Right.Value, Left.Value.Unwrapped: SQLInteger {
  TypedExpression(left.untyped % right.untyped)
}

// MARK: - Prefixes

/// The `-` operator.
///
///     -TypedColumn<Int>("score")
///     // -"score"
public prefix func - <Operand: TypedExpressible>(
  operand: Operand
) -> TypedExpression<Operand.Value> where Operand.Value.Unwrapped: SQLNumber {
  TypedExpression(-operand.untyped)
}

/// The `~` operator, which flips all bits.
///
///     ~TypedColumn<Int>("mask")
///     // ~"mask"
public prefix func ~ <Operand: TypedExpressible>(
  operand: Operand
) -> TypedExpression<Operand.Value> where Operand.Value.Unwrapped: SQLInteger {
  TypedExpression(~operand.untyped)
}

/// The `IFNULL` function: the left value, or the right one where the left is NULL.
///
///     TypedColumn<String?>("name") ?? "Anonymous"
///     // IFNULL("name", 'Anonymous')
public func ?? <Left: TypedExpressible>(
  left: Left,
  right: Left.Value.Unwrapped
) -> TypedExpression<Left.Value.Unwrapped> {
  TypedExpression(left.untyped ?? right)
}

/// The `IFNULL` function, with the value of another column or expression.
///
///     (TypedColumn<Int?>("bonus") ?? TypedColumn<Int>("score")) > 9
///     // IFNULL("bonus", "score") > 9
public func ?? <Left: TypedExpressible, Right: TypedExpressible>(
  left: Left,
  right: Right
) -> TypedExpression<Right.Value> where Left.Value.Unwrapped == Right.Value.Unwrapped {
  TypedExpression(left.untyped ?? right.untyped)
}
