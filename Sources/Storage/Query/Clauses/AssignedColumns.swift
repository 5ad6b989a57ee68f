/// The columns in a closure that returns no assignments, as in `updateAll(db) { $0.score = 100 }`.
///
/// Swift's `=` does not build SQL, and of several statements, none is returned. The type exists for
/// the error that says what to write instead:
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
