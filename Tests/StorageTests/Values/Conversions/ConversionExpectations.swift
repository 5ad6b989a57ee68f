import Storage
import Testing

@testable import StorageTestSupport

/// Binds a value, expects it to be stored as `stored`, and reads it in every way.
func expectRoundTrip<Value: DatabaseValueConvertible & Hashable>(
  _ value: Value,
  _ stored: (any DatabaseValueConvertible)?,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  try withDatabase { db in
    let cursor = try Row.fetchCursor(db, sql: "SELECT ? AS v", arguments: [value])
    let row = try #require(try cursor.next())
    #expect(row[0] == stored?.databaseValue ?? .null, sourceLocation: sourceLocation)
    #expect(try row.decode(Value.self, atIndex: 0) == value, sourceLocation: sourceLocation)
    #expect(try row.copy().decode(forColumn: "v") == value, sourceLocation: sourceLocation)
    #expect(
      try Value.fetchSet(db, sql: "SELECT ?", arguments: [value]) == [value],
      sourceLocation: sourceLocation
    )
  }
}

/// Expects that none of the SQL expressions can be read as `type`.
func expectRefusal<Value: DatabaseValueConvertible>(
  _ type: Value.Type,
  _ expressions: String...
) throws {
  try withDatabase { db throws in
    for expression in expressions {
      #expect(throws: RowDecodingError.self, "\(expression)") {
        try Value.fetchAll(db, sql: "SELECT \(expression)")
      }
    }
  }
}
