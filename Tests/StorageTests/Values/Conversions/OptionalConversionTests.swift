import Storage
import Testing

@testable import StorageTestSupport

@Suite struct OptionalConversionTests {
  enum Color: Int, DatabaseValueConvertible { case red, white }

  @Test func `A-032: optional values are fetched; fetchOne distinguishes NULL from no row`()
    throws
  {
    try withDatabase { db throws in
      let sql = "SELECT column1 FROM (VALUES (1), (NULL))"
      #expect(try Int?.fetchAll(db, sql: sql) == [1, nil])
      #expect(try Set(Color?.fetchCursor(db, sql: sql)) == [.white, nil])
      #expect(throws: RowDecodingError.self) { try Int.fetchAll(db, sql: sql) }
      let row: Int?? = try Int?.fetchOne(db, sql: "SELECT NULL")
      #expect(row == .some(nil))
      let noRow: Int?? = try Int?.fetchOne(db, sql: "SELECT 1 WHERE 0")
      #expect(noRow == .none)
      #expect(try Int.fetchOne(db, sql: "SELECT NULL") == nil)
    }
  }
}
