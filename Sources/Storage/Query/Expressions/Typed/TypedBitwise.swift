// Bitwise operators between integers of one type.

// MARK: - &

/// The `&` operator.
///
///     TypedColumn<Int>("mask") & 2
///     // "mask" & 2
public func & <Left: TypedExpressible>(
  left: Left,
  right: Left.Value
) -> TypedExpression<Left.Value> where Left.Value.Unwrapped: SQLInteger {
  TypedExpression(left.untyped & right)
}

/// The `&` operator.
///
///     2 & TypedColumn<Int>("mask")
///     // 2 & "mask"
public func & <Right: TypedExpressible>(
  left: Right.Value,
  right: Right
) -> TypedExpression<Right.Value> where Right.Value.Unwrapped: SQLInteger {
  TypedExpression(left & right.untyped)
}

/// The `&` operator.
///
///     TypedColumn<Int>("mask") & TypedColumn<Int>("other")
///     // "mask" & "other"
public func & <Left: TypedExpressible, Right: TypedExpressible>(
  left: Left,
  right: Right
) -> TypedExpression<Left.Value>
where Left.Value == Right.Value, Left.Value.Unwrapped: SQLInteger {
  TypedExpression(left.untyped & right.untyped)
}

// MARK: - |

/// The `|` operator.
///
///     TypedColumn<Int>("mask") | 2
///     // "mask" | 2
public func | <Left: TypedExpressible>(
  left: Left,
  right: Left.Value
) -> TypedExpression<Left.Value> where Left.Value.Unwrapped: SQLInteger {
  TypedExpression(left.untyped | right)
}

/// The `|` operator.
///
///     2 | TypedColumn<Int>("mask")
///     // 2 | "mask"
public func | <Right: TypedExpressible>(
  left: Right.Value,
  right: Right
) -> TypedExpression<Right.Value> where Right.Value.Unwrapped: SQLInteger {
  TypedExpression(left | right.untyped)
}

/// The `|` operator.
///
///     TypedColumn<Int>("mask") | TypedColumn<Int>("other")
///     // "mask" | "other"
public func | <Left: TypedExpressible, Right: TypedExpressible>(
  left: Left,
  right: Right
) -> TypedExpression<Left.Value>
where Left.Value == Right.Value, Left.Value.Unwrapped: SQLInteger {
  TypedExpression(left.untyped | right.untyped)
}

// MARK: - <<

/// The `<<` operator.
///
///     TypedColumn<Int>("mask") << 2
///     // "mask" << 2
public func << <Left: TypedExpressible>(
  left: Left,
  right: Left.Value
) -> TypedExpression<Left.Value> where Left.Value.Unwrapped: SQLInteger {
  TypedExpression(left.untyped << right)
}

/// The `<<` operator.
///
///     2 << TypedColumn<Int>("mask")
///     // 2 << "mask"
public func << <Right: TypedExpressible>(
  left: Right.Value,
  right: Right
) -> TypedExpression<Right.Value> where Right.Value.Unwrapped: SQLInteger {
  TypedExpression(left << right.untyped)
}

/// The `<<` operator.
///
///     TypedColumn<Int>("mask") << TypedColumn<Int>("other")
///     // "mask" << "other"
public func << <Left: TypedExpressible, Right: TypedExpressible>(
  left: Left,
  right: Right
) -> TypedExpression<Left.Value>
where Left.Value == Right.Value, Left.Value.Unwrapped: SQLInteger {
  TypedExpression(left.untyped << right.untyped)
}

// MARK: - >>

/// The `>>` operator.
///
///     TypedColumn<Int>("mask") >> 2
///     // "mask" >> 2
public func >> <Left: TypedExpressible>(
  left: Left,
  right: Left.Value
) -> TypedExpression<Left.Value> where Left.Value.Unwrapped: SQLInteger {
  TypedExpression(left.untyped >> right)
}

/// The `>>` operator.
///
///     2 >> TypedColumn<Int>("mask")
///     // 2 >> "mask"
public func >> <Right: TypedExpressible>(
  left: Right.Value,
  right: Right
) -> TypedExpression<Right.Value> where Right.Value.Unwrapped: SQLInteger {
  TypedExpression(left >> right.untyped)
}

/// The `>>` operator.
///
///     TypedColumn<Int>("mask") >> TypedColumn<Int>("other")
///     // "mask" >> "other"
public func >> <Left: TypedExpressible, Right: TypedExpressible>(
  left: Left,
  right: Right
) -> TypedExpression<Left.Value>
where Left.Value == Right.Value, Left.Value.Unwrapped: SQLInteger {
  TypedExpression(left.untyped >> right.untyped)
}

// MARK: - ^

/// The exclusive or, which SQL expresses with other operators.
///
///     TypedColumn<Int>("mask") ^ 2
///     // (~("mask" & 2)) & ("mask" | 2)
public func ^ <Left: TypedExpressible>(
  left: Left,
  right: Left.Value
) -> TypedExpression<Left.Value> where Left.Value.Unwrapped: SQLInteger {
  TypedExpression(left.untyped ^ right)
}

/// The exclusive or, which SQL expresses with other operators.
///
///     2 ^ TypedColumn<Int>("mask")
///     // (~(2 & "mask")) & (2 | "mask")
public func ^ <Right: TypedExpressible>(
  left: Right.Value,
  right: Right
) -> TypedExpression<Right.Value> where Right.Value.Unwrapped: SQLInteger {
  TypedExpression(left ^ right.untyped)
}

/// The exclusive or, which SQL expresses with other operators.
///
///     TypedColumn<Int>("mask") ^ TypedColumn<Int>("other")
///     // (~("mask" & "other")) & ("mask" | "other")
public func ^ <Left: TypedExpressible, Right: TypedExpressible>(
  left: Left,
  right: Right
) -> TypedExpression<Left.Value>
where Left.Value == Right.Value, Left.Value.Unwrapped: SQLInteger {
  TypedExpression(left.untyped ^ right.untyped)
}
