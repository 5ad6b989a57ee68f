import Storage
import Testing

@testable import StorageTestSupport

/// Runs a test on a live row, and on its copy.
func withRows(_ sql: String, _ body: (Row) throws -> Void) throws {
  try withDatabase { db in
    let cursor = try Row.fetchCursor(db, sql: sql)
    let row = try #require(try cursor.next())
    try body(row)
    try body(row.copy())
  }
}
