/// The assignment of a new value to a column.
///
///     try Player.updateAll(db) { [$0.score += 100, $0.name.set(to: "Arthur")] }
///     // UPDATE "player" SET "score" = "score" + 100, "name" = 'Arthur'
public struct ColumnAssignment: Hashable, Sendable {
  let column: String
  let value: ExpressionNode

  init(_ column: String, _ value: SQLExpression) {
    self.column = column
    self.value = value.node
  }

  /// Writes `"score" = "score" + 100`.
  func write(to context: inout SQLContext) throws {
    context.append(identifier: column)
    context.append(" = ")
    try value.write(to: &context)
  }
}

extension ColumnExpression {
  /// Assigns a value, an expression, or NULL for `nil`.
  ///
  ///     try Player.updateAll(db) { $0.score.set(to: $0.score + $0.bonus) }
  ///     // UPDATE "player" SET "score" = "score" + "bonus"
  public func set(to value: (some SQLExpressible)?) -> ColumnAssignment {
    ColumnAssignment(name, value?.sqlExpression ?? .null)
  }

  /// Assigns NULL.
  ///
  ///     try Player.updateAll(db) { $0.email.set(to: nil) }
  ///     // UPDATE "player" SET "email" = NULL
  public func set(to null: SQLNull) -> ColumnAssignment { ColumnAssignment(name, .null) }
}

// MARK: - Operators

extension ColumnExpression {
  /// Adds to the column.
  ///
  ///     try Player.updateAll(db) { $0.score += 100 }
  ///     // UPDATE "player" SET "score" = "score" + 100
  public static func += (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    column.set(to: column + value)
  }

  /// Subtracts from the column.
  ///
  ///     try Player.updateAll(db) { $0.score -= 100 }
  ///     // UPDATE "player" SET "score" = "score" - 100
  public static func -= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    column.set(to: column - value)
  }

  /// Multiplies the column.
  ///
  ///     try Player.updateAll(db) { $0.score *= 2 }
  ///     // UPDATE "player" SET "score" = "score" * 2
  public static func *= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    column.set(to: column * value)
  }

  /// Divides the column.
  ///
  ///     try Player.updateAll(db) { $0.score /= 2 }
  ///     // UPDATE "player" SET "score" = "score" / 2
  public static func /= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    column.set(to: column / value)
  }

  /// Assigns the remainder of dividing the column.
  ///
  ///     try Player.updateAll(db) { $0.score %= 2 }
  ///     // UPDATE "player" SET "score" = "score" % 2
  public static func %= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    column.set(to: column % value)
  }

  /// Keeps the bits that are set in the value.
  ///
  ///     try Player.updateAll(db) { $0.mask &= 2 }
  ///     // UPDATE "player" SET "mask" = "mask" & 2
  public static func &= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    column.set(to: column & value)
  }

  /// Sets the bits that are set in the value.
  ///
  ///     try Player.updateAll(db) { $0.mask |= 2 }
  ///     // UPDATE "player" SET "mask" = "mask" | 2
  public static func |= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    column.set(to: column | value)
  }

  /// Flips the bits that are set in the value.
  ///
  ///     try Player.updateAll(db) { $0.mask ^= 2 }
  ///     // UPDATE "player" SET "mask" = (~("mask" & 2)) & ("mask" | 2)
  public static func ^= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    column.set(to: column ^ value)
  }

  /// Shifts the bits to the left.
  ///
  ///     try Player.updateAll(db) { $0.mask <<= 1 }
  ///     // UPDATE "player" SET "mask" = "mask" << 1
  public static func <<= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    column.set(to: column << value)
  }

  /// Shifts the bits to the right.
  ///
  ///     try Player.updateAll(db) { $0.mask >>= 1 }
  ///     // UPDATE "player" SET "mask" = "mask" >> 1
  public static func >>= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    column.set(to: column >> value)
  }
}
