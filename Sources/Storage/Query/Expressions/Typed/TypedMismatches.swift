// Comparisons between columns of different types. They do not compile, and the errors say what to
// write instead.

/// Columns of different types are not compared: write `left.untyped == right.untyped`.
@available(
  *,
  unavailable,
  message: "the types differ: compare left.untyped with right.untyped, or convert with cast(_:as:)"
)
@_disfavoredOverload
public func == (
  left: some TypedExpressible,
  right: some TypedExpressible
) -> TypedExpression<Bool> {
  TypedExpression(left.untyped == right.untyped)
}

/// Columns of different types are not compared: write `left.untyped != right.untyped`.
@available(
  *,
  unavailable,
  message: "the types differ: compare left.untyped with right.untyped, or convert with cast(_:as:)"
)
@_disfavoredOverload
public func != (
  left: some TypedExpressible,
  right: some TypedExpressible
) -> TypedExpression<Bool> {
  TypedExpression(left.untyped != right.untyped)
}

/// Columns of different types are not compared: write `left.untyped < right.untyped`.
@available(
  *,
  unavailable,
  message: "the types differ: compare left.untyped with right.untyped, or convert with cast(_:as:)"
)
@_disfavoredOverload
public func < (
  left: some TypedExpressible,
  right: some TypedExpressible
) -> TypedExpression<Bool> {
  TypedExpression(left.untyped < right.untyped)
}

/// Columns of different types are not compared: write `left.untyped <= right.untyped`.
@available(
  *,
  unavailable,
  message: "the types differ: compare left.untyped with right.untyped, or convert with cast(_:as:)"
)
@_disfavoredOverload
public func <= (
  left: some TypedExpressible,
  right: some TypedExpressible
) -> TypedExpression<Bool> {
  TypedExpression(left.untyped <= right.untyped)
}

/// Columns of different types are not compared: write `left.untyped > right.untyped`.
@available(
  *,
  unavailable,
  message: "the types differ: compare left.untyped with right.untyped, or convert with cast(_:as:)"
)
@_disfavoredOverload
public func > (
  left: some TypedExpressible,
  right: some TypedExpressible
) -> TypedExpression<Bool> {
  TypedExpression(left.untyped > right.untyped)
}

/// Columns of different types are not compared: write `left.untyped >= right.untyped`.
@available(
  *,
  unavailable,
  message: "the types differ: compare left.untyped with right.untyped, or convert with cast(_:as:)"
)
@_disfavoredOverload
public func >= (
  left: some TypedExpressible,
  right: some TypedExpressible
) -> TypedExpression<Bool> {
  TypedExpression(left.untyped >= right.untyped)
}
