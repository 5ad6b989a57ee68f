extension TypedColumn where Value: DatabaseValueConvertible {
  /// Assigns a value.
  ///
  ///     try Player.updateAll(db) { $0.score.set(to: 100) }
  ///     // UPDATE "player" SET "score" = 100
  public func set(to value: Value) -> ColumnAssignment { column.set(to: value) }

  /// Assigns the value of an expression.
  ///
  ///     try Player.updateAll(db) { $0.score.set(to: $0.bonus * 2) }
  ///     // UPDATE "player" SET "score" = "bonus" * 2
  public func set<Expression: TypedExpressible>(to value: Expression) -> ColumnAssignment
  where Expression.Value.Unwrapped == Value.Unwrapped {
    column.set(to: value.untyped)
  }
}

extension TypedColumn where Value: DatabaseValueConvertible, Value.Unwrapped == Bool {
  /// Assigns whether a condition is met.
  ///
  ///     try Player.updateAll(db) { $0.isActive.set(to: $0.isActive && $0.score > 10) }
  ///     // UPDATE "player" SET "isActive" = "isActive" AND ("score" > 10)
  public func set(to condition: SQLExpression) -> ColumnAssignment { column.set(to: condition) }

  /// Assigns the opposite.
  ///
  ///     try Player.updateAll(db, TypedColumn<Bool>("isActive").toggle())
  ///     // UPDATE "player" SET "isActive" = NOT "isActive"
  public func toggle() -> ColumnAssignment { column.set(to: !column) }
}

extension TypedColumn where Value: DatabaseValueConvertible, Value.Unwrapped: SQLAddable {
  /// Adds to a number, or appends to a text.
  ///
  ///     try Player.updateAll(db) { $0.score += 2 }
  ///     // UPDATE "player" SET "score" = "score" + 2
  ///
  ///     try Player.updateAll(db) { $0.name += " Jr." }
  ///     // UPDATE "player" SET "name" = "name" || ' Jr.'
  public static func += (column: Self, value: Value) -> ColumnAssignment {
    column.set(to: column + value)
  }
}

extension TypedColumn where Value: DatabaseValueConvertible, Value.Unwrapped: SQLNumber {
  /// Subtracts from the column.
  ///
  ///     try Player.updateAll(db) { $0.score -= 2 }
  ///     // UPDATE "player" SET "score" = "score" - 2
  public static func -= (column: Self, value: Value) -> ColumnAssignment {
    column.set(to: column - value)
  }

  /// Multiplies the column.
  ///
  ///     try Player.updateAll(db) { $0.score *= 2 }
  ///     // UPDATE "player" SET "score" = "score" * 2
  public static func *= (column: Self, value: Value) -> ColumnAssignment {
    column.set(to: column * value)
  }

  /// Divides the column.
  ///
  ///     try Player.updateAll(db) { $0.score /= 2 }
  ///     // UPDATE "player" SET "score" = "score" / 2
  public static func /= (column: Self, value: Value) -> ColumnAssignment {
    column.set(to: column / value)
  }
}

extension TypedColumn where Value: DatabaseValueConvertible, Value.Unwrapped: SQLInteger {
  /// Assigns the remainder of dividing the column.
  ///
  ///     try Player.updateAll(db) { $0.score %= 2 }
  ///     // UPDATE "player" SET "score" = "score" % 2
  public static func %= (column: Self, value: Value) -> ColumnAssignment {
    column.set(to: column % value)
  }

  /// Keeps the bits that are set in the value.
  ///
  ///     try Player.updateAll(db) { $0.score &= 2 }
  ///     // UPDATE "player" SET "score" = "score" & 2
  public static func &= (column: Self, value: Value) -> ColumnAssignment {
    column.set(to: column & value)
  }

  /// Sets the bits that are set in the value.
  ///
  ///     try Player.updateAll(db) { $0.score |= 2 }
  ///     // UPDATE "player" SET "score" = "score" | 2
  public static func |= (column: Self, value: Value) -> ColumnAssignment {
    column.set(to: column | value)
  }

  /// Flips the bits that are set in the value.
  ///
  ///     try Player.updateAll(db) { $0.score ^= 2 }
  ///     // UPDATE "player" SET "score" = (~("score" & 2)) & ("score" | 2)
  public static func ^= (column: Self, value: Value) -> ColumnAssignment {
    column.set(to: column ^ value)
  }

  /// Shifts the bits to the left.
  ///
  ///     try Player.updateAll(db) { $0.score <<= 2 }
  ///     // UPDATE "player" SET "score" = "score" << 2
  public static func <<= (column: Self, value: Value) -> ColumnAssignment {
    column.set(to: column << value)
  }

  /// Shifts the bits to the right.
  ///
  ///     try Player.updateAll(db) { $0.score >>= 2 }
  ///     // UPDATE "player" SET "score" = "score" >> 2
  public static func >>= (column: Self, value: Value) -> ColumnAssignment {
    column.set(to: column >> value)
  }
}

// MARK: - With expressions

extension TypedColumn where Value: DatabaseValueConvertible, Value.Unwrapped: SQLAddable {
  /// Adds the value of an expression, or appends it to a text.
  ///
  ///     try Player.updateAll(db) { $0.score += $0.bonus }
  ///     // UPDATE "player" SET "score" = "score" + "bonus"
  public static func += <Expression: TypedExpressible>(
    column: Self,
    value: Expression
  ) -> ColumnAssignment where Expression.Value.Unwrapped == Value.Unwrapped {
    let sum = SQLExpression.chain(Value.Unwrapped.sqlAddition, [column.node, value.node])
    return column.column.set(to: sum)
  }
}

extension TypedColumn where Value: DatabaseValueConvertible, Value.Unwrapped: SQLNumber {
  /// Subtracts the value of an expression.
  ///
  ///     try Player.updateAll(db) { $0.score -= $0.bonus }
  ///     // UPDATE "player" SET "score" = "score" - "bonus"
  public static func -= <Expression: TypedExpressible>(
    column: Self,
    value: Expression
  ) -> ColumnAssignment where Expression.Value.Unwrapped == Value.Unwrapped {
    column.column.set(to: column.untyped - value.untyped)
  }

  /// Multiplies the column by the value of an expression.
  ///
  ///     try Player.updateAll(db) { $0.score *= $0.bonus }
  ///     // UPDATE "player" SET "score" = "score" * "bonus"
  public static func *= <Expression: TypedExpressible>(
    column: Self,
    value: Expression
  ) -> ColumnAssignment where Expression.Value.Unwrapped == Value.Unwrapped {
    column.column.set(to: column.untyped * value.untyped)
  }

  /// Divides the column by the value of an expression.
  ///
  ///     try Player.updateAll(db) { $0.score /= $0.bonus }
  ///     // UPDATE "player" SET "score" = "score" / "bonus"
  public static func /= <Expression: TypedExpressible>(
    column: Self,
    value: Expression
  ) -> ColumnAssignment where Expression.Value.Unwrapped == Value.Unwrapped {
    column.column.set(to: column.untyped / value.untyped)
  }
}

extension TypedColumn where Value: DatabaseValueConvertible, Value.Unwrapped: SQLInteger {
  /// Assigns the remainder of dividing the column by the value of an expression.
  ///
  ///     try Player.updateAll(db) { $0.score %= $0.bonus }
  ///     // UPDATE "player" SET "score" = "score" % "bonus"
  public static func %= <Expression: TypedExpressible>(
    column: Self,
    value: Expression
  ) -> ColumnAssignment where Expression.Value.Unwrapped == Value.Unwrapped {
    column.column.set(to: column.untyped % value.untyped)
  }

  /// Keeps the bits that are set in the value of an expression.
  ///
  ///     try Player.updateAll(db) { $0.score &= $0.bonus }
  ///     // UPDATE "player" SET "score" = "score" & "bonus"
  public static func &= <Expression: TypedExpressible>(
    column: Self,
    value: Expression
  ) -> ColumnAssignment where Expression.Value.Unwrapped == Value.Unwrapped {
    column.column.set(to: column.untyped & value.untyped)
  }

  /// Sets the bits that are set in the value of an expression.
  ///
  ///     try Player.updateAll(db) { $0.score |= $0.bonus }
  ///     // UPDATE "player" SET "score" = "score" | "bonus"
  public static func |= <Expression: TypedExpressible>(
    column: Self,
    value: Expression
  ) -> ColumnAssignment where Expression.Value.Unwrapped == Value.Unwrapped {
    column.column.set(to: column.untyped | value.untyped)
  }

  /// Inverts the bits that are set in the value of an expression.
  ///
  ///     try Player.updateAll(db) { $0.score ^= $0.bonus }
  ///     // UPDATE "player" SET "score" = (~("score" & "bonus")) & ("score" | "bonus")
  public static func ^= <Expression: TypedExpressible>(
    column: Self,
    value: Expression
  ) -> ColumnAssignment where Expression.Value.Unwrapped == Value.Unwrapped {
    column.column.set(to: column.untyped ^ value.untyped)
  }

  /// Shifts the bits to the left by the value of an expression.
  ///
  ///     try Player.updateAll(db) { $0.score <<= $0.bonus }
  ///     // UPDATE "player" SET "score" = "score" << "bonus"
  public static func <<= <Expression: TypedExpressible>(
    column: Self,
    value: Expression
  ) -> ColumnAssignment where Expression.Value.Unwrapped == Value.Unwrapped {
    column.column.set(to: column.untyped << value.untyped)
  }

  /// Shifts the bits to the right by the value of an expression.
  ///
  ///     try Player.updateAll(db) { $0.score >>= $0.bonus }
  ///     // UPDATE "player" SET "score" = "score" >> "bonus"
  public static func >>= <Expression: TypedExpressible>(
    column: Self,
    value: Expression
  ) -> ColumnAssignment where Expression.Value.Unwrapped == Value.Unwrapped {
    column.column.set(to: column.untyped >> value.untyped)
  }
}
