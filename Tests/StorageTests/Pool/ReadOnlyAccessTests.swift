@testable import Storage
import Testing

@Suite struct ReadOnlyAccessTests {
  @Test func `incremental_vacuum is no read`() throws {
    let queue = try DatabaseQueue()
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql:
          "PRAGMA auto_vacuum = 2; VACUUM; CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(100000)); DELETE FROM t"
      )
    }
    let pages = try queue.read { db in try Int.fetchOne(db, sql: "PRAGMA page_count") }
    try? queue.read { db in try db.execute(sql: "PRAGMA incremental_vacuum") }
    let after = try queue.read { db in try Int.fetchOne(db, sql: "PRAGMA page_count") }
    #expect(pages == after)
  }
}
