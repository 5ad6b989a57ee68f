internal import FoundationEssentials

// Functions whose result has a type if their argument has one. All other functions accept typed
// columns too, and return an untyped expression.

/// Converts a value to the column type of a Swift type.
///
///     cast(TypedColumn<Int>("age"), as: String?.self)
///     // CAST("age" AS TEXT)
///
/// A type that reads several kinds of stored values, such as `Date` and `UUID`, and a type without
/// a column type get the value as it is. SQLite would convert a date to a number.
///
///     cast(TypedColumn<String>("createdAt"), as: Date.self)
///     // "createdAt"
///
/// A cast to `UInt64` or `UInt` makes an `INTEGER`, whose largest number is `Int64.max`: larger
/// numbers, which are stored as texts, become that number.
public func cast<Value: DatabaseValueConvertible>(
  _ value: some TypedExpressible,
  as type: Value.Type
) -> TypedExpression<Value> {
  TypedExpression(type.conversionType.map { cast(value.untyped, as: $0) } ?? value.untyped)
}

extension DatabaseValueConvertible {
  /// The type to which SQLite converts a value so that it can be read as this one; `nil` for a type
  /// that reads the value as it is.
  ///
  /// Column types for dates, and `ANY`, store texts unchanged, but a `CAST` to them makes numbers
  /// of texts: https://www.sqlite.org/lang_expr.html#castexpr
  fileprivate static var conversionType: Database.ColumnType? {
    guard let type = databaseColumnType, storedType(self) != UUID.self else { return nil }
    let name = type.rawValue.asciiLowercased
    let isUnchanged =
      name.isEmpty || name == "any" || name.contains("date") || name.contains("time")
    return isUnchanged ? nil : type
  }
}

/// Converts a value to a column type.
///
///     cast(TypedColumn<Int>("age"), as: .text)
///     // CAST("age" AS TEXT)
public func cast(_ value: some TypedExpressible, as type: Database.ColumnType) -> SQLExpression {
  cast(value.untyped, as: type)
}

/// Returns the largest value, or NULL if there is none.
///
///     Player.select { max($0.score) }
///     // SELECT MAX("score") FROM "player"
public func max<Expression: TypedExpressible>(
  _ value: Expression,
  filter: (any SQLCondition)? = nil
) -> TypedExpression<Expression.Value.Unwrapped?> {
  TypedExpression(max(value.untyped, filter: filter))
}

/// Returns the smallest value, or NULL if there is none.
///
///     Player.select { min($0.score) }
///     // SELECT MIN("score") FROM "player"
public func min<Expression: TypedExpressible>(
  _ value: Expression,
  filter: (any SQLCondition)? = nil
) -> TypedExpression<Expression.Value.Unwrapped?> {
  TypedExpression(min(value.untyped, filter: filter))
}

/// Returns the sum of the values, or NULL if there is none.
///
///     Player.select { sum($0.score) }
///     // SELECT SUM("score") FROM "player"
public func sum<Expression: TypedExpressible>(
  _ value: Expression,
  filter: (any SQLCondition)? = nil
) -> TypedExpression<Expression.Value.Unwrapped?> where Expression.Value.Unwrapped: SQLNumber {
  TypedExpression(sum(value.untyped, filter: filter))
}

/// Returns the sum of the values, or 0.0 if there is none.
///
///     Player.select { total($0.score) }
///     // SELECT TOTAL("score") FROM "player"
public func total<Expression: TypedExpressible>(
  _ value: Expression,
  filter: (any SQLCondition)? = nil
) -> TypedExpression<Double> where Expression.Value.Unwrapped: SQLNumber {
  TypedExpression(total(value.untyped, filter: filter))
}

/// Returns the average of the values, or NULL if there is none.
///
///     Player.select { average($0.score) }
///     // SELECT AVG("score") FROM "player"
public func average<Expression: TypedExpressible>(
  _ value: Expression,
  filter: (any SQLCondition)? = nil
) -> TypedExpression<Double?> where Expression.Value.Unwrapped: SQLNumber {
  TypedExpression(average(value.untyped, filter: filter))
}

/// Returns the number of values that are not NULL.
///
///     Player.select { count($0.email) }
///     // SELECT COUNT("email") FROM "player"
public func count(
  _ value: some TypedExpressible,
  filter: (any SQLCondition)? = nil
) -> TypedExpression<Int> {
  TypedExpression(count(value.untyped, filter: filter))
}

/// Returns the number of distinct values that are not NULL.
///
///     Player.select { count(distinct: $0.email) }
///     // SELECT COUNT(DISTINCT "email") FROM "player"
public func count(distinct value: some TypedExpressible) -> TypedExpression<Int> {
  TypedExpression(count(distinct: value.untyped))
}

/// Returns the number of characters of a text.
///
///     Player.select { length($0.name) }
///     // SELECT LENGTH("name") FROM "player"
public func length(_ value: some TypedExpressible) -> TypedExpression<Int?> {
  TypedExpression(length(value.untyped))
}

// MARK: - Strings

/// Removes spaces, or the given characters, from both ends of a text.
///
///     trim(TypedColumn<String>("name"))
///     // TRIM("name")
public func trim<Expression: TypedExpressible>(
  _ value: Expression,
  characters: String? = nil
) -> TypedExpression<Expression.Value> where Expression.Value.Unwrapped == String {
  TypedExpression(trim(value.untyped, characters: characters))
}

/// Replaces each occurrence of a text in another text.
///
///     replace(TypedColumn<String>("email"), "@", " at ")
///     // REPLACE("email", '@', ' at ')
public func replace<Expression: TypedExpressible>(
  _ value: Expression,
  _ pattern: String,
  _ replacement: String
) -> TypedExpression<Expression.Value> where Expression.Value.Unwrapped == String {
  TypedExpression(replace(value.untyped, pattern, replacement))
}

/// Returns a part of a text: see ``substr(_:_:_:)->SQLExpression``.
///
///     substr(TypedColumn<String>("name"), 1, 3)
///     // SUBSTR("name", 1, 3)
public func substr<Expression: TypedExpressible>(
  _ value: Expression,
  _ start: Int,
  _ length: Int? = nil
) -> TypedExpression<Expression.Value> where Expression.Value.Unwrapped == String {
  TypedExpression(substr(value.untyped, start, length))
}

// MARK: - Numbers

/// Returns the absolute value.
///
///     abs(TypedColumn<Int>("score"))
///     // ABS("score")
public func abs<Expression: TypedExpressible>(
  _ value: Expression
) -> TypedExpression<Expression.Value> where Expression.Value.Unwrapped: SQLNumber {
  TypedExpression(abs(value.untyped))
}

/// Rounds a number to the given number of digits after the decimal point; 0 by default. The result
/// is always a `Double`.
///
///     round(TypedColumn<Double>("height"), 1)
///     // ROUND("height", 1)
public func round<Expression: TypedExpressible>(
  _ value: Expression,
  _ digits: Int? = nil
) -> TypedExpression<Double?> where Expression.Value.Unwrapped: SQLNumber {
  TypedExpression(round(value.untyped, digits))
}
