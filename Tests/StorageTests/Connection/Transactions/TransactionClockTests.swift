import Foundation
import Storage
import Testing
import WellspringSystem

@testable import StorageTestSupport

@Suite struct TransactionClockTests {
  /// A configuration whose clock advances by a second each time it is read.
  private func configuration() -> Configuration {
    let seconds = Lock(0.0)
    var configuration = Configuration()
    configuration.transactionClock = .custom { _ in
      Date(
        timeIntervalSince1970: seconds.withLock {
          $0 += 1; return $0
        }
      )
    }
    return configuration
  }

  private func second(_ db: Database) throws -> Double {
    try db.transactionDate.timeIntervalSince1970
  }

  @Test func `A-009: the date stays the same during a transaction`() throws {
    try withDatabase(configuration()) { db in
      #expect(try second(db) == 1)
      #expect(try second(db) == 2)
      try db.inTransaction {
        #expect(try second(db) == 3)
        try db.inSavepoint { () throws in
          #expect(try second(db) == 3)
          return .rollback
        }
        #expect(try second(db) == 3)
        return .commit
      }
      #expect(try second(db) == 4)
      try db.execute(sql: "SAVEPOINT a")
      #expect(try second(db) == 5)
      #expect(try second(db) == 5)
      try db.execute(sql: "ROLLBACK; BEGIN")
      #expect(try second(db) == 6)
      try Item.cup.insert(db)
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "INSERT OR ROLLBACK INTO item VALUES (1, 'twice', 1)")
      }
      #expect(try second(db) == 7)
    }
  }

  @Test func `the default clock is the system clock`() throws {
    let before = Date()
    let date = try withDatabase { db in try db.transactionDate }
    #expect(date >= before && date <= Date())
  }
}
