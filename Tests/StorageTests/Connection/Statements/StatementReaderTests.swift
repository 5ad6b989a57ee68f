import Storage
import Testing

@testable import StorageTestSupport

@Suite struct StatementReaderTests {
  @Test(
    arguments: [
      ("SELECT 1; SELECT 2", "several SQL statements where one is expected", 10),
      ("SELECT 1; SELECT * FROM nope", "several SQL statements where one is expected", 10),
      ("SELECT 1; garbage", "near \"garbage\": syntax error", 10),
      ("SELECT 1; SELECT 'x", "unrecognized token: \"'x\"", 17),
      ("SELECT 1;; ; SELEC", "near \"SELEC\": syntax error", 13),
      ("SELECT 1; SELECT", "incomplete input", nil),
    ] as [(String, String, Int?)]
  )
  func `STM-20: a second statement is an error that points to it`(
    sql: String,
    message: String,
    offset: Int?
  ) throws {
    try withDatabase { db in
      for prepare in [db.makeStatement(sql:), db.cachedStatement(sql:)] {
        let error = #expect(throws: DatabaseError.self) { try prepare(sql) }
        #expect(error?.message == message)
        #expect(error?.sqlOffset == offset)
        #expect(error?.sql == sql)
      }
      #expect(throws: DatabaseError.self) { try Row.fetchAll(db, sql: sql) }
    }
  }

  @Test func `STM-20: comments, spaces and semicolons may follow a statement`() throws {
    try withDatabase { db throws in
      for tail in ["", ";", " ; ;\n", "-- the end", "; -- the end", "/* a */;", "; /* unclosed"] {
        #expect(try Int.fetchOne(db, sql: "SELECT 1 " + tail) == 1)
      }
    }
  }
}
