// Comparisons of one type. `Optional` makes no difference: `nil` is compared with `IS`.

// MARK: - =

/// The `=` operator.
///
///     TypedColumn<Int>("score") == 1000
///     // "score" = 1000
public func == <Left: TypedExpressible>(
  left: Left,
  right: Left.Value
) -> TypedExpression<Bool> {
  TypedExpression(left.untyped == right)
}

/// The `=` operator.
///
///     1000 == TypedColumn<Int>("score")
///     // 1000 = "score"
public func == <Right: TypedExpressible>(
  left: Right.Value,
  right: Right
) -> TypedExpression<Bool> {
  TypedExpression(left == right.untyped)
}

/// The `=` operator.
///
///     TypedColumn<Int>("score") == TypedColumn<Int?>("bonus")
///     // "score" = "bonus"
public func == <Left: TypedExpressible, Right: TypedExpressible>(
  left: Left,
  right: Right
) -> TypedExpression<Bool> where Left.Value.Unwrapped == Right.Value.Unwrapped {
  TypedExpression(left.untyped == right.untyped)
}

// MARK: - <>

/// The `<>` operator.
///
///     TypedColumn<Int>("score") != 1000
///     // "score" <> 1000
public func != <Left: TypedExpressible>(
  left: Left,
  right: Left.Value
) -> TypedExpression<Bool> {
  TypedExpression(left.untyped != right)
}

/// The `<>` operator.
///
///     1000 != TypedColumn<Int>("score")
///     // 1000 <> "score"
public func != <Right: TypedExpressible>(
  left: Right.Value,
  right: Right
) -> TypedExpression<Bool> {
  TypedExpression(left != right.untyped)
}

/// The `<>` operator.
///
///     TypedColumn<Int>("score") != TypedColumn<Int?>("bonus")
///     // "score" <> "bonus"
public func != <Left: TypedExpressible, Right: TypedExpressible>(
  left: Left,
  right: Right
) -> TypedExpression<Bool> where Left.Value.Unwrapped == Right.Value.Unwrapped {
  TypedExpression(left.untyped != right.untyped)
}

// MARK: - <

/// The `<` operator.
///
///     TypedColumn<Int>("score") < 1000
///     // "score" < 1000
public func < <Left: TypedExpressible>(
  left: Left,
  right: Left.Value
) -> TypedExpression<Bool> {
  TypedExpression(left.untyped < right)
}

/// The `<` operator.
///
///     1000 < TypedColumn<Int>("score")
///     // 1000 < "score"
public func < <Right: TypedExpressible>(
  left: Right.Value,
  right: Right
) -> TypedExpression<Bool> {
  TypedExpression(left < right.untyped)
}

/// The `<` operator.
///
///     TypedColumn<Int>("score") < TypedColumn<Int?>("bonus")
///     // "score" < "bonus"
public func < <Left: TypedExpressible, Right: TypedExpressible>(
  left: Left,
  right: Right
) -> TypedExpression<Bool> where Left.Value.Unwrapped == Right.Value.Unwrapped {
  TypedExpression(left.untyped < right.untyped)
}

// MARK: - <=

/// The `<=` operator.
///
///     TypedColumn<Int>("score") <= 1000
///     // "score" <= 1000
public func <= <Left: TypedExpressible>(
  left: Left,
  right: Left.Value
) -> TypedExpression<Bool> {
  TypedExpression(left.untyped <= right)
}

/// The `<=` operator.
///
///     1000 <= TypedColumn<Int>("score")
///     // 1000 <= "score"
public func <= <Right: TypedExpressible>(
  left: Right.Value,
  right: Right
) -> TypedExpression<Bool> {
  TypedExpression(left <= right.untyped)
}

/// The `<=` operator.
///
///     TypedColumn<Int>("score") <= TypedColumn<Int?>("bonus")
///     // "score" <= "bonus"
public func <= <Left: TypedExpressible, Right: TypedExpressible>(
  left: Left,
  right: Right
) -> TypedExpression<Bool> where Left.Value.Unwrapped == Right.Value.Unwrapped {
  TypedExpression(left.untyped <= right.untyped)
}

// MARK: - >

/// The `>` operator.
///
///     TypedColumn<Int>("score") > 1000
///     // "score" > 1000
public func > <Left: TypedExpressible>(
  left: Left,
  right: Left.Value
) -> TypedExpression<Bool> {
  TypedExpression(left.untyped > right)
}

/// The `>` operator.
///
///     1000 > TypedColumn<Int>("score")
///     // 1000 > "score"
public func > <Right: TypedExpressible>(
  left: Right.Value,
  right: Right
) -> TypedExpression<Bool> {
  TypedExpression(left > right.untyped)
}

/// The `>` operator.
///
///     TypedColumn<Int>("score") > TypedColumn<Int?>("bonus")
///     // "score" > "bonus"
public func > <Left: TypedExpressible, Right: TypedExpressible>(
  left: Left,
  right: Right
) -> TypedExpression<Bool> where Left.Value.Unwrapped == Right.Value.Unwrapped {
  TypedExpression(left.untyped > right.untyped)
}

// MARK: - >=

/// The `>=` operator.
///
///     TypedColumn<Int>("score") >= 1000
///     // "score" >= 1000
public func >= <Left: TypedExpressible>(
  left: Left,
  right: Left.Value
) -> TypedExpression<Bool> {
  TypedExpression(left.untyped >= right)
}

/// The `>=` operator.
///
///     1000 >= TypedColumn<Int>("score")
///     // 1000 >= "score"
public func >= <Right: TypedExpressible>(
  left: Right.Value,
  right: Right
) -> TypedExpression<Bool> {
  TypedExpression(left >= right.untyped)
}

/// The `>=` operator.
///
///     TypedColumn<Int>("score") >= TypedColumn<Int?>("bonus")
///     // "score" >= "bonus"
public func >= <Left: TypedExpressible, Right: TypedExpressible>(
  left: Left,
  right: Right
) -> TypedExpression<Bool> where Left.Value.Unwrapped == Right.Value.Unwrapped {
  TypedExpression(left.untyped >= right.untyped)
}
