// Comparisons between values of one type, optional or not. `nil` is compared with `IS`.

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

/// `IS NULL`, also for a column of a non-optional type: a left join can make its value NULL.
///
///     TypedColumn<Int>("score") == nil
///     // "score" IS NULL
public func == <Left: TypedExpressible>(
  left: Left,
  right: SQLNull
) -> TypedExpression<Bool> where Left.Value.Unwrapped == Left.Value {
  TypedExpression(left.untyped == right)
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

/// `IS NOT NULL`, also for a column of a non-optional type: a left join can make its value NULL.
///
///     TypedColumn<Int>("score") != nil
///     // "score" IS NOT NULL
public func != <Left: TypedExpressible>(
  left: Left,
  right: SQLNull
) -> TypedExpression<Bool> where Left.Value.Unwrapped == Left.Value {
  TypedExpression(left.untyped != right)
}

// MARK: - IS

/// The `IS` operator.
///
///     TypedColumn<Int?>("score") === 1000
///     // "score" IS 1000
public func === <Left: TypedExpressible>(
  left: Left,
  right: Left.Value
) -> TypedExpression<Bool> {
  TypedExpression(left.untyped === right)
}

/// The `IS` operator.
///
///     1000 === TypedColumn<Int?>("score")
///     // 1000 IS "score"
public func === <Right: TypedExpressible>(
  left: Right.Value,
  right: Right
) -> TypedExpression<Bool> {
  TypedExpression(left === right.untyped)
}

/// The `IS` operator.
///
///     TypedColumn<Int>("score") === TypedColumn<Int?>("bonus")
///     // "score" IS "bonus"
public func === <Left: TypedExpressible, Right: TypedExpressible>(
  left: Left,
  right: Right
) -> TypedExpression<Bool> where Left.Value.Unwrapped == Right.Value.Unwrapped {
  TypedExpression(left.untyped === right.untyped)
}

// MARK: - IS NOT

/// The `IS NOT` operator.
///
///     TypedColumn<Int?>("score") !== 1000
///     // "score" IS NOT 1000
public func !== <Left: TypedExpressible>(
  left: Left,
  right: Left.Value
) -> TypedExpression<Bool> {
  TypedExpression(left.untyped !== right)
}

/// The `IS NOT` operator.
///
///     1000 !== TypedColumn<Int?>("score")
///     // 1000 IS NOT "score"
public func !== <Right: TypedExpressible>(
  left: Right.Value,
  right: Right
) -> TypedExpression<Bool> {
  TypedExpression(left !== right.untyped)
}

/// The `IS NOT` operator.
///
///     TypedColumn<Int>("score") !== TypedColumn<Int?>("bonus")
///     // "score" IS NOT "bonus"
public func !== <Left: TypedExpressible, Right: TypedExpressible>(
  left: Left,
  right: Right
) -> TypedExpression<Bool> where Left.Value.Unwrapped == Right.Value.Unwrapped {
  TypedExpression(left.untyped !== right.untyped)
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
