// Bits of integers of one type.

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

/// Exclusive or, for which SQL has no operator.
///
///     TypedColumn<Int>("mask") ^ 2
///     // (~("mask" & 2)) & ("mask" | 2)
public func ^ <Left: TypedExpressible>(
  left: Left,
  right: Left.Value
) -> TypedExpression<Left.Value> where Left.Value.Unwrapped: SQLInteger {
  TypedExpression(left.untyped ^ right)
}

/// Exclusive or, for which SQL has no operator.
///
///     2 ^ TypedColumn<Int>("mask")
///     // (~(2 & "mask")) & (2 | "mask")
public func ^ <Right: TypedExpressible>(
  left: Right.Value,
  right: Right
) -> TypedExpression<Right.Value> where Right.Value.Unwrapped: SQLInteger {
  TypedExpression(left ^ right.untyped)
}

/// Exclusive or, for which SQL has no operator.
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
