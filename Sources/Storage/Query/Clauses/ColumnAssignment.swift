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

/// The columns in a closure that returns no assignments, as in `updateAll(db) { $0.score = 100 }`.
///
/// Swift's `=` does not build SQL, and a closure of several statements returns none of them. The
/// type exists for the error that names the correct code:
///
///     try Player.updateAll(db) { $0.score.set(to: 100) }
///     // UPDATE "player" SET "score" = 100
@dynamicMemberLookup
public struct AssignedColumns<Components> {
  /// A column, which takes any value.
  public subscript<Column>(dynamicMember column: KeyPath<Components, Column>) -> Any? {
    get { nil }
    nonmutating set {}
  }

  /// A column, where its value is read.
  public subscript<Column>(dynamicMember column: KeyPath<Components, Column>) -> Column {
    fatalError("the functions with this parameter are unavailable")
  }
}

extension TableRecord {
  /// Swift's `=` assigns no column: write `$0.score.set(to: 100)` instead of `$0.score = 100`.
  @available(
    *,
    unavailable,
    message: "assign columns with set(to:), as in { [$0.a.set(to: 1), $0.b += 2] }"
  )
  @_disfavoredOverload
  @discardableResult
  public static func updateAll(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    assigning assignments: (AssignedColumns<DatabaseComponents>) throws -> Void
  ) throws -> Int {
    0
  }
}

extension TableQuery where RowDecoder: TableRecord {
  /// Swift's `=` assigns no column: write `$0.score.set(to: 100)` instead of `$0.score = 100`.
  @available(
    *,
    unavailable,
    message: "assign columns with set(to:), as in { [$0.a.set(to: 1), $0.b += 2] }"
  )
  @_disfavoredOverload
  @discardableResult
  public func updateAll(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    assigning assignments: (AssignedColumns<RowDecoder.DatabaseComponents>) throws -> Void
  ) throws -> Int {
    0
  }
}

extension Database {
  /// SQLite's reaction to a row that violates a constraint.
  /// https://www.sqlite.org/lang_conflict.html
  public enum ConflictResolution: String, Sendable {
    /// The transaction is rolled back.
    case rollback = "ROLLBACK"
    /// The statement fails and its changes are undone. This is SQLite's default.
    case abort = "ABORT"
    /// The statement fails, and keeps the changes that it made before.
    case fail = "FAIL"
    /// The row is skipped.
    case ignore = "IGNORE"
    /// The conflicting rows are deleted first.
    case replace = "REPLACE"

    /// ` OR IGNORE`; empty for the default.
    var sql: String { self == .abort ? "" : " OR \(rawValue)" }
  }
}

/// ` ON CONFLICT("email") DO UPDATE SET "score" = "excluded"."score"`
struct UpsertClause: Hashable, Sendable {
  let target: [String]
  let assignments: [ColumnAssignment]

  func write(to context: inout SQLContext) throws {
    context.append(" ON CONFLICT")
    if !target.isEmpty {
      context.append("(\(target.map(\.quotedDatabaseIdentifier).joined(separator: ", ")))")
    }
    context.append(" DO UPDATE SET ")
    for (index, assignment) in assignments.enumerated() {
      if index > 0 { context.append(", ") }
      try assignment.write(to: &context)
    }
  }
}
