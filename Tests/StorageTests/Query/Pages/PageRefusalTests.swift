import Storage
import Testing

@testable import StorageTestSupport

/// Requests whose rows cannot be fetched in pages.
@Suite struct PageRefusalTests {
  struct Refusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let fetch: @Sendable (Database) throws -> Void

    init<Element: Fetchable & SendableMetatype>(
      _ message: String,
      _ request: @escaping @Sendable () -> QueryInterfaceRequest<Element>,
      after position: KeysetPosition? = nil,
      size: Int = 3
    ) {
      testDescription = message
      fetch = { db in _ = try request().fetchPage(db, after: position, size: size) }
    }
  }

  static let refusals = [
    Refusal("its order is not unique, because the request has a limit") { Player.limit(5) },
    Refusal("its order is not unique, because the request has distinct rows") {
      Player.select { $0.name }.distinct()
    },
    Refusal("its order is not unique, because the request has groups") {
      Player.all().group(\.teamID)
    },
    Refusal(
      """
      the order is written in SQL, so that its columns are unknown: give its expressions as \
      SQL("…").sqlExpression
      """
    ) { Player.order(literal: "name") },
    Refusal("its size is 0", { Player.all() }, size: 0),
  ]

  @Test(arguments: refusals) func `the error says why`(refusal: Refusal) throws {
    try withPlayers { db in
      expectDatabaseError(
        .SQLITE_MISUSE,
        "the page cannot be fetched: \(refusal.testDescription)"
      ) { try refusal.fetch(db) }
    }
  }

  @Test func `a position belongs to one order, and a view has none`() throws {
    try withPlayers { db in
      let position = try Player.order(\.name).fetchPage(db, size: 1).next
      expectDatabaseError(
        .SQLITE_MISUSE,
        "the page cannot be fetched: the position belongs to another order"
      ) { _ = try Player.order(\.score).fetchPage(db, after: position, size: 1) }
      try db.execute(sql: "CREATE VIEW named AS SELECT name FROM player")
      expectDatabaseError(
        .SQLITE_MISUSE,
        "the page cannot be fetched: the rows of named have no key that tells them apart"
      ) { _ = try Table("named").all().fetchPage(db, size: 1) }
    }
  }
}
