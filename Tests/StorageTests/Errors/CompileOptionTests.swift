import CWellspringSQLite
import Foundation
import Testing
import WellspringSystem

@testable import Storage
@testable import StorageTestSupport

/// These tests hold with any build of SQLite. `make test-sqlite` with `WITHOUT` runs them with a
/// build that really lacks the options.
@Suite struct CompileOptionTests {
  private static let environment = ProcessInfo.processInfo.environment

  /// Runs a body as if SQLite had been compiled without an option.
  private func lacking(_ option: CompileOption, _ body: () throws -> Void) rethrows {
    try CompileOption.$simulatedMissing.withValue([option], operation: body)
  }

  private func absence(of option: String) -> String {
    "SQLite was compiled without SQLITE_\(option)"
  }

  @Test(.enabled(if: environment["WELLSPRING_SQLITE"] != nil))
  func `the tests run with the SQLite that was asked for`() throws {
    let wanted = try #require(Self.environment["WELLSPRING_SQLITE"])
    let found = try withDatabase { try String.fetchOne($0, sql: "SELECT sqlite_version()") }
    #expect(found == wanted)
    #expect(try SQLiteShell.run(":memory:", "SELECT sqlite_version()") == wanted)
    let without = Self.environment["WELLSPRING_SQLITE_WITHOUT"] ?? ""
    for option in without.split(separator: " ") {
      let known = CompileOption.allCases.first { $0.rawValue.hasSuffix(option) }
      #expect(known?.isPresent != true, "\(option)")
    }
  }

  @Test(.enabled(if: environment["WELLSPRING_SQLITE_WITHOUT"] ?? "" == ""))
  func `Debian's SQLite has all options`() {
    #expect(CompileOption.present == Set(CompileOption.allCases))
  }

  // MARK: Changesets

  @Test func `changesets ask for the session extension`() throws {
    let message = absence(of: "ENABLE_SESSION") + ", which changesets need"
    try withDatabase { db in
      try Item.cup.insert(db)
      lacking(.session) {
        expectDatabaseError(.SQLITE_ERROR, message) {
          _ = try db.recordChangeset { try db.execute(sql: "DELETE FROM item") }
        }
        let changeset = Changeset(data: Data([0x54, 1, 1, 0x61, 0]))
        expectDatabaseError(.SQLITE_ERROR, message) { try db.apply(changeset: changeset) }
        expectDatabaseError(.SQLITE_ERROR, message) { _ = try changeset.operations() }
        expectDatabaseError(.SQLITE_ERROR, message) { _ = try changeset.inverted() }
        expectDatabaseError(.SQLITE_ERROR, message) {
          _ = try changeset.concatenated(with: changeset)
        }
      }
      #expect(try Item.fetchCount(db) == 1)
    }
  }

  // MARK: Observations

  /// An observer that writes down its notifications.
  private final class Journal: TransactionObserver, Sendable {
    private let written = Lock<[String]>([])
    /// Returns the written lines, and removes them.
    func take() -> [String] {
      written.withLock { lines in
        defer { lines = [] }
        return lines
      }
    }
    private func append(_ line: String) { written.withLock { $0.append(line) } }
    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool { kind.tableName == "item" }
    func databaseDidChange() { append("something") }
    func databaseDidChange(with event: DatabaseEvent) { append("row") }
    func databaseDidCommit(_ db: Database) { append("commit") }
    func databaseDidRollback(_ db: Database) { append("rollback") }
  }

  @Test func `without the preupdate hook, each commit runs the observed queries`() async throws {
    let shop = try Shop()
    let (recorder, cancellable) = Shop.items.record(in: shop.pool)
    defer { cancellable.cancel() }
    #expect(try await recorder.nextValue() == [.cup, .pot])
    try lacking(.preupdateHook) {
      try shop.pool.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 1") }
    }
    #expect(try await recorder.value { $0.count < 2 } == [.pot])
    try lacking(.preupdateHook) {
      try shop.pool.write { db in try db.execute(sql: "DELETE FROM item") }
    }
    #expect(try await recorder.value { $0 != [.pot] } == [])
  }

  @Test func `without the preupdate hook, observers learn which tables were written`() throws {
    try lacking(.preupdateHook) {
      let shop = try Shop()
      let journal = Journal()
      shop.pool.add(transactionObserver: journal)
      try shop.pool.write { db in
        try db.execute(sql: "CREATE TABLE other (a)")
        try db.execute(sql: "UPDATE item SET price = 1")
        try db.execute(sql: "INSERT INTO other VALUES (1)")
      }
      #expect(journal.take() == ["something", "commit"])
      struct Stop: Error {}
      #expect(throws: Stop.self) {
        try shop.pool.write { db in
          try db.execute(sql: "UPDATE item SET price = 1")
          throw Stop()
        }
      }
      #expect(journal.take() == ["something", "rollback"])
    }
  }

  @Test func `the missing preupdate hook is reported, and named`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      try CompileOption.$simulatedMissing.withValue([.preupdateHook]) {
        let queue = try DatabaseQueue()
        let observer = Journal()
        queue.add(transactionObserver: observer)
        for _ in 1...3 {
          try queue.write { db in try db.execute(sql: "CREATE TEMP TABLE t (a); DROP TABLE t") }
        }
        withExtendedLifetime(observer) {}
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let line = "SQLite was compiled without SQLITE_ENABLE_PREUPDATE_HOOK"
    #expect(text.components(separatedBy: line).count == 2, "\(text)")
  }

  // MARK: Statements

  @Test func `updates and deletions with a limit do without SQLite's own`() throws {
    try withDatabase { db in
      for id in 1...4 { try Item(id: Int64(id), name: "cup").insert(db) }
      var deleted = 0
      try lacking(.updateDeleteLimit) {
        deleted = try Item.order(Column("id").desc).limit(2).deleteAll(db)
      }
      #expect(deleted == 2)
      #expect(try Item.fetchAll(db).map(\.id) == [1, 2])
    }
  }

  @Test func `the error of a limit in SQL names the option`() {
    let update = "UPDATE item SET price = 1 LIMIT 1"
    lacking(.updateDeleteLimit) {
      for (message, sql, expected) in [
        (#"near "LIMIT": syntax error"#, update, CompileOption.updateDeleteLimit),
        (#"near "order": syntax error"#, "delete from item order by a limit 1", .updateDeleteLimit),
        (#"near "LIMIT": syntax error"#, "SELECT LIMIT", nil),
        (#"near "FORM": syntax error"#, update, nil),
      ] {
        #expect(DatabaseError.missingOption(message: message, sql: sql) == expected)
      }
    }
  }

  @Test func `the error of a missing function names the option`() {
    lacking(.mathFunctions) {
      for (name, expected) in [("sqrt", CompileOption.mathFunctions), ("SQRT", .mathFunctions)] {
        let message = "no such function: \(name)"
        #expect(DatabaseError.missingOption(message: message, sql: nil) == expected)
      }
      #expect(DatabaseError.missingOption(message: "no such function: sqroot", sql: nil) == nil)
    }
  }

  @Test func `the error of a missing module names the option`() throws {
    try withDatabase { db in
      sqlite3_drop_modules(db.sqliteConnection, nil)
      for option in [CompileOption.fts3, .fts4, .fts5, .rtree] {
        let module = option.rawValue.dropFirst("ENABLE_".count).lowercased()
        let sql = "CREATE VIRTUAL TABLE document USING \(module)(a, b, c)"
        if CompileOption.present.contains(option) {
          expectDatabaseError(.SQLITE_ERROR, "no such module: \(module)") {
            try db.execute(sql: sql)
          }
        }
        lacking(option) {
          expectDatabaseError(
            .SQLITE_ERROR,
            "no such module: \(module): \(absence(of: option.rawValue))"
          ) { try db.execute(sql: sql) }
        }
      }
    }
  }

  @Test func `tokenizers ask for FTS5`() throws {
    try withDatabase { db in
      lacking(.fts5) {
        expectDatabaseError(
          .SQLITE_ERROR,
          absence(of: "ENABLE_FTS5") + ", which its tokenizers need"
        ) { _ = try db.makeTokenizer(.ascii()) }
      }
    }
  }

  /// The options that a build of SQLite really lacks.
  @Test(.enabled(if: environment["WELLSPRING_SQLITE_WITHOUT"] ?? "" != ""))
  func `SQL that needs a missing option is an error that names the option`() throws {
    let statements: [CompileOption: String] = [
      .fts5: "CREATE VIRTUAL TABLE document USING fts5(content)",
      .mathFunctions: "SELECT sqrt(4)",
      .updateDeleteLimit: "UPDATE item SET price = 1 LIMIT 1",
    ]
    try withDatabase { db in
      for (option, sql) in statements where !option.isPresent {
        let error = #expect(throws: DatabaseError.self) { try db.execute(sql: sql) }
        #expect(error?.message?.hasSuffix(": " + absence(of: option.rawValue)) == true, "\(sql)")
      }
    }
  }
}
