import Storage
import Testing

@testable import StorageTestSupport

/// Checks the value of an expression in Arthur's row of `player`, where the score is 100 and the
/// bonus is NULL. `value` is an SQL literal.
func expectValue(
  _ expression: SQLExpression,
  _ value: String,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  try withPlayers { db in
    let found = try DatabaseValue.fetchAll(db, Player.filter(key: 1).select(expression))
    #expect(found.map(\.description) == [value], sourceLocation: sourceLocation)
  }
}
