import Testing

@testable import Storage
@testable import StorageTestSupport

@Suite struct SlowStatementTests {
  /// Opens a reader, and discards the statements that prepare it.
  private func prepareReader(of shop: Shop, _ activities: RecordedActivities) throws {
    try shop.pool.unsafeRead { _ in }
    activities.removeAll()
  }

  @Test func `a threshold of zero records every statement, without its values`() throws {
    let activities = RecordedActivities()
    let shop = try Shop(.instrumented(activities, slowStatementThreshold: .zero))
    activities.removeAll()
    try shop.pool.write { db in
      try db.execute(sql: "UPDATE item SET name = ? WHERE id = ?", arguments: ["secret", 1])
    }
    #expect(
      activities.slowStatements.map(\.sql) == [
        "BEGIN IMMEDIATE", "UPDATE item SET name = ? WHERE id = ?", "COMMIT",
      ]
    )
    #expect(!activities.descriptions.joined().contains("secret"))
  }

  @Test func `a slow statement has its plan, indented by levels`() throws {
    let activities = RecordedActivities()
    let shop = try Shop(.instrumented(activities, slowStatementThreshold: .zero))
    try prepareReader(of: shop, activities)
    try shop.pool.unsafeRead { db in
      _ = try Item.fetchAll(db, sql: "SELECT * FROM item WHERE id = 1")
      _ = try Int.fetchOne(
        db,
        sql: "SELECT count(*) FROM (SELECT name FROM item UNION SELECT 'x')"
      )
    }
    let plans = activities.slowStatements.map(\.plan)
    #expect(plans.first == ["SEARCH item USING INTEGER PRIMARY KEY (rowid=?)"])
    #expect(plans.last?.contains("      SCAN item") == true, "\(plans)")
  }

  @Test func `the plan of a statement that writes leaves the count of its rows alone`() throws {
    let activities = RecordedActivities()
    let shop = try Shop(.instrumented(activities, slowStatementThreshold: .zero))
    activities.removeAll()
    try shop.pool.write { db in
      try db.execute(sql: "INSERT INTO item (id, name, price) VALUES (7, 'a', 1), (8, 'b', 2)")
      #expect(db.changesCount == 2)
      try db.execute(sql: "UPDATE item SET name = 'c' WHERE id >= 7")
      #expect(try Int.fetchOne(db, sql: "SELECT changes()") == 2)
      try Item(id: 7, name: "d", price: 1).update(db)
      #expect(try Item.deleteOne(db, key: 7))
      #expect(try Item.filter(Column("id") == 8).deleteAll(db) == 1)
    }
    let plans = activities.slowStatements.filter { $0.sql.hasPrefix("UPDATE") }.map(\.plan)
    #expect(
      plans == [
        ["SEARCH item USING INTEGER PRIMARY KEY (rowid>?)"],
        ["SEARCH item USING INTEGER PRIMARY KEY (rowid=?)"],
      ]
    )
  }

  @Test func `a thousand slow statements after a write are recorded without their plans`() throws {
    let activities = RecordedActivities()
    let shop = try Shop(.instrumented(activities, slowStatementThreshold: .zero))
    activities.removeAll()
    try shop.pool.write { db in
      for price in 1...999 {
        try db.execute(sql: "UPDATE item SET price = ? WHERE id = 1", arguments: [price])
      }
      #expect(activities.slowStatements.count == 1000)
      try db.execute(sql: "UPDATE item SET price = 0 WHERE id = 1")
    }
    let plans = activities.slowStatements.filter { $0.sql.hasPrefix("UPDATE") }.map(\.plan)
    #expect(plans.filter(\.isEmpty).count == 999)
    #expect(plans.last?.isEmpty == false)
  }

  @Test func `only a statement that takes longer than the threshold is recorded`() throws {
    let activities = RecordedActivities()
    let shop = try Shop(.instrumented(activities, slowStatementThreshold: .milliseconds(5)))
    let slow = """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)
      SELECT count(*) FROM n
      """
    try prepareReader(of: shop, activities)
    try shop.pool.unsafeRead { db in
      _ = try Int.fetchOne(db, sql: "SELECT 1")
      _ = try Int.fetchOne(db, sql: slow)
    }
    let statement = try #require(activities.slowStatements.first { $0.sql == slow })
    #expect(statement.duration >= .milliseconds(5))
    #expect(statement.description.hasPrefix("slow statement, 0.") == true)
    #expect(!statement.description.contains("\n"))
  }

  @Test func `a pragma is not carried out again for its plan`() throws {
    let activities = RecordedActivities()
    let queue = try DatabaseQueue(
      configuration: .instrumented(activities, slowStatementThreshold: .zero)
    )
    activities.removeAll()
    try queue.inDatabase { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF")
      #expect(try Int.fetchOne(db, sql: "PRAGMA foreign_keys") == 0)
      try db.execute(sql: "EXPLAIN SELECT 1")
    }
    #expect(activities.slowStatements.map(\.plan) == [[], [], []])
  }

  @Test func `a cursor ends at its last row`() throws {
    let activities = RecordedActivities()
    let shop = try Shop(.instrumented(activities, slowStatementThreshold: .zero))
    try prepareReader(of: shop, activities)
    try shop.pool.unsafeRead { db in
      let rows = try Row.fetchCursor(db, sql: "SELECT * FROM item")
      _ = try rows.next()
      #expect(activities.slowStatements.isEmpty)
      while try rows.next() != nil {}
      #expect(activities.slowStatements.map(\.sql) == ["SELECT * FROM item"])
    }
  }

  @Test func `without instruments, no clock is read`() throws {
    let queue = try DatabaseQueue()
    try queue.inDatabase { db in
      #expect(db.instrumentation == nil)
      let statement = try db.makeStatement(sql: "SELECT 1")
      try statement.execute()
      #expect(statement.lastRun.startTime == 0)
    }
  }

  @Test(arguments: [
    (Duration.milliseconds(251), "0.251 s"), (.seconds(61), "61.000 s"),
    (.microseconds(400), "0.000 s"), (.microseconds(999_600), "1.000 s"),
  ])
  func `durations are shown in seconds with three decimals`(duration: Duration, text: String) {
    #expect(DatabaseActivity.text(of: duration) == text)
  }
}
