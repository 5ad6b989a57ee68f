import Testing
import WellspringSystem

@testable import Storage
@testable import StorageTestSupport

@Suite struct DatabaseTracingTests {
  @Test func `LOG-01: a trace sees each statement without its values`() throws {
    var statements: [String] = []
    try withDatabase { db in
      db.trace { statements.append("\($0)") }
      try db.inTransaction {
        try db.execute(sql: "INSERT INTO item VALUES (?, ?, ?)", arguments: [1, "secret", nil])
        return .commit
      }
      db.trace()
      try db.execute(sql: "DELETE FROM item")
    }
    #expect(statements == ["BEGIN IMMEDIATE", "INSERT INTO item VALUES (?, ?, ?)", "COMMIT"])
  }

  @Test(arguments: [(false, "SELECT ?1"), (true, "SELECT 7")])
  func `a description shows the values if the configuration makes them public`(
    isPublic: Bool,
    text: String
  ) throws {
    var configuration = Configuration()
    configuration.publicStatementArguments = isPublic
    var descriptions: [String] = []
    try withDatabase(configuration) { db in
      db.trace(options: [.statement, .profile]) { event in
        // A profile begins with a duration.
        descriptions.append(String(event.description.suffix(text.utf8.count)))
        if case .statement(let statement) = event { #expect(statement.description == text) }
      }
      _ = try Int.fetchOne(db, sql: "SELECT ?1", arguments: [7])
      db.trace()
    }
    #expect(descriptions == [text, text])
  }

  @Test func `LOG-03: the expanded description shows the values`() throws {
    var statements: [String] = []
    var kept: TraceEvent?
    try withDatabase { db in
      db.trace { event in
        statements.append(event.expandedDescription)
        kept = event
      }
      try db.execute(sql: "INSERT INTO item VALUES (:id, ?2, 1.5)", arguments: [1, "it's"])
    }
    #expect(statements == ["INSERT INTO item VALUES (1, 'it''s', 1.5)"])
    // SQLite's statement may no longer exist.
    #expect(kept?.expandedDescription == "INSERT INTO item VALUES (:id, ?2, 1.5)")
  }

  @Test func `A-114: a profile reports the duration of a statement`() throws {
    var events: [TraceEvent] = []
    var expanded: [String] = []
    try withDatabase { db in
      db.trace(options: [.statement, .profile]) {
        events.append($0)
        expanded.append($0.expandedDescription)
      }
      _ = try Int.fetchOne(
        db,
        sql:
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT max(i) FROM n",
        arguments: [20_000]
      )
    }
    #expect(events.count == 2)
    guard case .statement = events[0], case .profile(let statement, let duration) = events[1] else {
      Issue.record("\(events)")
      return
    }
    #expect(duration > 0.0001 && duration < 10)
    #expect(statement.sql.hasSuffix("i < ?) SELECT max(i) FROM n"))
    #expect(events[1].description == "\(TraceEvent.text(of: duration)) \(statement.sql)")
    #expect(expanded[1].contains("i < 20000"))
  }

  @Test(arguments: [
    (0.000_000_5, "0.500µs"), (0.000_012, "12.000µs"), (0.001_5, "1.500ms"),
    (0.0123456, "12.346ms"),
    (2, "2.000s"), (75.5, "75.500s"), (0, "0.000µs"),
  ])
  func `a duration is shown with a unit`(duration: Double, text: String) {
    #expect(TraceEvent.text(of: duration) == text)
  }

  @Test func `statements of a trigger appear as a comment that names the trigger`() throws {
    var statements: [String] = []
    try withDatabase { db in
      try db.execute(
        sql: "CREATE TRIGGER t AFTER INSERT ON item BEGIN DELETE FROM item WHERE price < 0; END"
      )
      db.trace { statements.append($0.expandedDescription) }
      try Item.cup.insert(db)
    }
    #expect(statements.count == 3)
    #expect(statements[1] == "-- TRIGGER t")
  }

  @Test func `LOG-02: a trace that a preparation sets sees all connections of a pool`() throws {
    let statements = Lock<[String]>([])
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.trace { event in statements.withLock { $0.append("\(event)") } }
    }
    let shop = try Shop(configuration)
    _ = try shop.pool.read { db in try Int.fetchOne(db, sql: "SELECT 1") }
    #expect(statements.withLock { $0.contains("SELECT 1") && $0.contains("BEGIN IMMEDIATE") })
  }
}
