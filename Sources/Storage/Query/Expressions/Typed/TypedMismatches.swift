// Comparisons between columns of different types, and with values of other types. They do not
// compile, and the errors name the correct code.

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

// MARK: - Values

/// A column is not compared with a value of another type: write `left.untyped == right`.
@available(
  *,
  unavailable,
  message: """
    the types differ: compare with a value of the type that the column has, such as a Date for a \
    date, or compare column.untyped, as SQL does
    """
)
@_disfavoredOverload
public func == (
  left: some TypedExpressible,
  right: some DatabaseValueConvertible
) -> TypedExpression<Bool> {
  TypedExpression(left.untyped == right.databaseValue)
}

/// A column is not compared with a value of another type: write `left == right.untyped`.
@available(
  *,
  unavailable,
  message: """
    the types differ: compare with a value of the type that the column has, such as a Date for a \
    date, or compare column.untyped, as SQL does
    """
)
@_disfavoredOverload
public func == (
  left: some DatabaseValueConvertible,
  right: some TypedExpressible
) -> TypedExpression<Bool> {
  TypedExpression(left.databaseValue == right.untyped)
}

/// A column is not compared with a value of another type: write `left.untyped != right`.
@available(
  *,
  unavailable,
  message: """
    the types differ: compare with a value of the type that the column has, such as a Date for a \
    date, or compare column.untyped, as SQL does
    """
)
@_disfavoredOverload
public func != (
  left: some TypedExpressible,
  right: some DatabaseValueConvertible
) -> TypedExpression<Bool> {
  TypedExpression(left.untyped != right.databaseValue)
}

/// A column is not compared with a value of another type: write `left != right.untyped`.
@available(
  *,
  unavailable,
  message: """
    the types differ: compare with a value of the type that the column has, such as a Date for a \
    date, or compare column.untyped, as SQL does
    """
)
@_disfavoredOverload
public func != (
  left: some DatabaseValueConvertible,
  right: some TypedExpressible
) -> TypedExpression<Bool> {
  TypedExpression(left.databaseValue != right.untyped)
}

/// A column is not compared with a value of another type: write `left.untyped < right`.
@available(
  *,
  unavailable,
  message: """
    the types differ: compare with a value of the type that the column has, such as a Date for a \
    date, or compare column.untyped, as SQL does
    """
)
@_disfavoredOverload
public func < (
  left: some TypedExpressible,
  right: some DatabaseValueConvertible
) -> TypedExpression<Bool> {
  TypedExpression(left.untyped < right.databaseValue)
}

/// A column is not compared with a value of another type: write `left < right.untyped`.
@available(
  *,
  unavailable,
  message: """
    the types differ: compare with a value of the type that the column has, such as a Date for a \
    date, or compare column.untyped, as SQL does
    """
)
@_disfavoredOverload
public func < (
  left: some DatabaseValueConvertible,
  right: some TypedExpressible
) -> TypedExpression<Bool> {
  TypedExpression(left.databaseValue < right.untyped)
}

/// A column is not compared with a value of another type: write `left.untyped <= right`.
@available(
  *,
  unavailable,
  message: """
    the types differ: compare with a value of the type that the column has, such as a Date for a \
    date, or compare column.untyped, as SQL does
    """
)
@_disfavoredOverload
public func <= (
  left: some TypedExpressible,
  right: some DatabaseValueConvertible
) -> TypedExpression<Bool> {
  TypedExpression(left.untyped <= right.databaseValue)
}

/// A column is not compared with a value of another type: write `left <= right.untyped`.
@available(
  *,
  unavailable,
  message: """
    the types differ: compare with a value of the type that the column has, such as a Date for a \
    date, or compare column.untyped, as SQL does
    """
)
@_disfavoredOverload
public func <= (
  left: some DatabaseValueConvertible,
  right: some TypedExpressible
) -> TypedExpression<Bool> {
  TypedExpression(left.databaseValue <= right.untyped)
}

/// A column is not compared with a value of another type: write `left.untyped > right`.
@available(
  *,
  unavailable,
  message: """
    the types differ: compare with a value of the type that the column has, such as a Date for a \
    date, or compare column.untyped, as SQL does
    """
)
@_disfavoredOverload
public func > (
  left: some TypedExpressible,
  right: some DatabaseValueConvertible
) -> TypedExpression<Bool> {
  TypedExpression(left.untyped > right.databaseValue)
}

/// A column is not compared with a value of another type: write `left > right.untyped`.
@available(
  *,
  unavailable,
  message: """
    the types differ: compare with a value of the type that the column has, such as a Date for a \
    date, or compare column.untyped, as SQL does
    """
)
@_disfavoredOverload
public func > (
  left: some DatabaseValueConvertible,
  right: some TypedExpressible
) -> TypedExpression<Bool> {
  TypedExpression(left.databaseValue > right.untyped)
}

/// A column is not compared with a value of another type: write `left.untyped >= right`.
@available(
  *,
  unavailable,
  message: """
    the types differ: compare with a value of the type that the column has, such as a Date for a \
    date, or compare column.untyped, as SQL does
    """
)
@_disfavoredOverload
public func >= (
  left: some TypedExpressible,
  right: some DatabaseValueConvertible
) -> TypedExpression<Bool> {
  TypedExpression(left.untyped >= right.databaseValue)
}

/// A column is not compared with a value of another type: write `left >= right.untyped`.
@available(
  *,
  unavailable,
  message: """
    the types differ: compare with a value of the type that the column has, such as a Date for a \
    date, or compare column.untyped, as SQL does
    """
)
@_disfavoredOverload
public func >= (
  left: some DatabaseValueConvertible,
  right: some TypedExpressible
) -> TypedExpression<Bool> {
  TypedExpression(left.databaseValue >= right.untyped)
}
