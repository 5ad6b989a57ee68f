import Foundation
import Storage
import Testing
import WellspringSystem

@testable import StorageTestSupport

/// The arguments of statements are personal data: nothing that the library reports shows them.
@Suite struct SecretsLabTests {
  private static let secret = "4711-0815-secret"

  /// Statements that fail, each with the secret as an argument.
  private static let failures = [
    "INSERT INTO item (id, name) VALUES (1, ?)",
    "INSERT INTO item (id, name, price) VALUES (?, 'x', 1)",
    "UPDATE item SET id = ?",
    "SELECT abs(-9223372036854775808), ?",
    "SELECT json(?)",
    "SELECT fails(?)",
    "SELECT zeroblob(2000000000), ?",
    "SELECT ?, ?",
    "ATTACH '/nowhere/at/all' AS other -- ?",
    "INSERT INTO item SELECT max(id) + 1, NULL, ? FROM item",
  ]

  @Test func `errors, traces, activities and the error log hide the arguments`() async {
    // The error log belongs to the process.
    await #expect(processExitsWith: .success) {
      await Task.yield()
      try Self.reportFailures()
    }
  }

  private static func reportFailures() throws {
    let texts = Lock<[String]>([])
    let note: @Sendable (String) -> Void = { text in texts.withLock { $0.append(text) } }
    Database.logError = { _, message in note(message) }
    let activities = RecordedActivities()
    var configuration = Configuration.instrumented(activities, slowStatementThreshold: .zero)
    configuration.statementTimeout = .seconds(20)
    configuration.prepareDatabase { db in
      db.trace(options: [.statement, .profile]) { note($0.description) }
      db.add(
        function: DatabaseFunction("fails", argumentCount: 1) { _ in
          throw DatabaseError(message: "it fails")
        }
      )
    }
    let shop = try Shop(configuration)
    for sql in failures {
      do {
        try shop.pool.write { db in
          try db.execute(
            sql: sql,
            arguments: StatementArguments(repeatElement(secret, count: sql.count { $0 == "?" }))
          )
        }
      } catch {
        note("\(error)")
        note(String(reflecting: error))
        note(error.localizedDescription)
        var dumped = ""
        print(["error": error], to: &dumped)
        note(dumped)
      }
    }
    let cancellable = ValueObservation.tracking { db in
      try Row.fetchAll(db, sql: "SELECT * FROM item WHERE name = ?", arguments: [secret])
    }.start(in: shop.pool, scheduling: .immediate, onError: { _ in }, onChange: { _ in })
    try shop.pool.write { db in
      try db.execute(sql: "UPDATE item SET name = ? WHERE id = 1", arguments: [secret])
    }
    try shop.pool.quiesce()
    note("\(shop.pool.observationStatistics)")
    cancellable.cancel()
    let all = texts.withLock { $0 } + activities.descriptions + activities.kinds.map { "\($0)" }
    try #require(all.count > 50)
    // The secret was there.
    let name = try shop.pool.read { db in
      try String.fetchOne(db, sql: "SELECT name FROM item WHERE id = 1")
    }
    try #require(name == secret)
    for text in all { try #require(!text.contains(secret), "\(text)") }
  }

  @Test func `the message of a crash hides the arguments`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await Task.yield()
      Self.crash()
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("UNIQUE constraint failed: item.id"))
    #expect(!text.contains(Self.secret))
  }

  private static func crash() {
    let shop = try! Shop()
    try! shop.pool.write { db in
      try db.execute(sql: "INSERT INTO item (id, name) VALUES (1, ?)", arguments: [secret])
    }
  }
}
