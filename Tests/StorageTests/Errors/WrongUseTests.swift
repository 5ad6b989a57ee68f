import Foundation
import Storage
import Testing

@testable import StorageTestSupport

/// Wrong uses that no error can report: the program stops with a message that explains the right
/// use.
@Suite struct WrongUseTests {
  private func expect(
    _ message: String,
    _ result: ExitTest.Result?,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains(message), sourceLocation: sourceLocation)
  }

  @Test func `a name in a literal of arguments twice`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let arguments: StatementArguments = ["a": 1, "a": 2]
      print(arguments)
    }
    expect("The argument a is given twice: remove one of them.", result)
  }

  @Test func `a function that replaces a running one`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try DatabaseQueue().write { db in
        let one = DatabaseFunction("one", argumentCount: 0) { _ in 1 }
        db.add(function: one)
        let cursor = try Int.fetchCursor(db, sql: "SELECT one() UNION ALL SELECT 2")
        _ = try cursor.next()
        db.add(function: one)
        print(try cursor.next() ?? 0)
      }
    }
    expect(
      """
      A function cannot be replaced or removed while statements that may call it are running. Do \
      it before the fetch, or after its cursors have ended.
      """,
      result
    )
  }

  @Test func `a collation that replaces a running one`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try DatabaseQueue().write { db in
        let collation = DatabaseCollation("mine") { $0.compare($1) }
        db.add(collation: collation)
        let sql = "SELECT column1 FROM (VALUES ('a'), ('b')) ORDER BY column1 COLLATE mine"
        let cursor = try String.fetchCursor(db, sql: sql)
        _ = try cursor.next()
        db.add(collation: collation)
        print(try cursor.next() ?? "")
      }
    }
    expect(
      """
      A collation cannot be replaced or removed while statements that may use it are running. Do \
      it before the fetch, or after its cursors have ended.
      """,
      result
    )
  }

  @Test func `a function without a name`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DatabaseFunction("", argumentCount: 0) { _ in 1 }
    }
    expect("A function name must have 1 to 255 bytes and no NUL character.", result)
  }

  @Test func `a function of too many arguments`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DatabaseFunction("many", argumentCount: 128) { _ in 1 }
    }
    expect("A function takes at most 127 arguments.", result)
  }

  @Test func `a collation without a name`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DatabaseCollation("") { $0.compare($1) }
    }
    expect("A collation name must not be empty or contain a NUL character.", result)
  }

  @Test func `a tokenizer without a name`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = FTS5TokenizerDescriptor(components: [])
    }
    expect("A tokenizer needs a name: its first component.", result)
  }

  @Test func `a tokenizer that implements nothing`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      final class EmptyTokenizer: FTS5CustomTokenizer {
        static let name = "empty"
        init(db: Database, arguments: [String]) {}
      }
      try DatabaseQueue().write { db in
        _ = try EmptyTokenizer(db: db, arguments: []).tokenize(document: "a")
      }
    }
    expect("A tokenizer must implement tokenize(_:for:found:): EmptyTokenizer", result)
  }

  @Test func `stopping events outside an event`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      IdleObserver().stopObservingDatabaseChangesUntilNextTransaction()
    }
    expect(
      """
      stopObservingDatabaseChangesUntilNextTransaction() was called outside \
      databaseDidChange(with:): call it from there.
      """,
      result
    )
  }

  @Test func `a column that a changed row does not have`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let shop = try Shop()
      let observer = IdleObserver()
      shop.pool.add(transactionObserver: observer)
      try shop.pool.write { db in try db.execute(sql: "DELETE FROM item") }
    }
    expect("The row has no column 7. Its columns are numbered from 0 to 2.", result)
  }

  @Test func `two tasks that iterate over one observation`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let shop = try Shop()
      nonisolated(unsafe) var iterator = Shop.items.values(in: shop.pool).makeAsyncIterator()
      _ = try await iterator.next()
      nonisolated(unsafe) var other = iterator
      async let first = iterator.next()
      async let second = other.next()
      _ = try await (first, second)
    }
    expect(
      """
      An observation is iterated over by two tasks at the same time. Make an iterator for each task.
      """,
      result
    )
  }

  @Test func `a foreign key of different lengths`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ForeignKey(["a", "b"], to: ["c"])
    }
    expect(
      "A foreign key refers from 2 columns to 1 columns. Give as many on both sides.",
      result
    )
  }

  @Test func `a migration that is registered twice`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var migrator = DatabaseMigrator()
      migrator.registerMigration("a") { _ in }
      migrator.registerMigration("a") { _ in }
    }
    expect(
      """
      The migration "a" is registered twice, or merges a registered one: the name of a migration \
      must be unique.
      """,
      result
    )
  }

  @Test func `an index that the row does not have`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let name: (any DatabaseValueConvertible)? = Row(["name": "cup"])[1]
      print(name == nil)
    }
    expect(
      """
      Column index 1 is out of range: the row has 1 columns. Use row.decode(_:atIndex:) to get an \
      error that can be caught.
      """,
      result
    )
  }

  @Test func `negative counts of an adapter and of lazy cursors`() async {
    let adapter = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = SuffixRowAdapter(fromIndex: -1)
    }
    expect("A column index must not be negative, but it is -1.", adapter)
    let cursor = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try DatabaseQueue().read { db in
        _ = try Int.fetchCursor(db, sql: "SELECT 1").dropFirst(-1)
      }
    }
    expect("The count of dropFirst must not be negative, but it is -1.", cursor)
  }

  @Test func `a reader that cannot be observed`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ForeignReader(queue: try DatabaseQueue()).observationStatistics
    }
    expect("ForeignReader cannot be observed: use a DatabasePool or a DatabaseQueue.", result)
  }
}

/// An observer that uses its events wrongly.
private final class IdleObserver: TransactionObserver, @unchecked Sendable {
  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
  func databaseWillChange(with event: DatabasePreUpdateEvent) {
    print(event.initialDatabaseValue(atIndex: 7) ?? .null)
  }
  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseDidCommit(_ db: Database) {}
  func databaseDidRollback(_ db: Database) {}
}

/// A reader of another kind.
private final class ForeignReader: DatabaseReader {
  let queue: DatabaseQueue

  init(queue: DatabaseQueue) {
    self.queue = queue
  }

  var configuration: Configuration { queue.configuration }
  var path: String { queue.path }
  func read<Value>(_ value: (Database) throws -> Value) throws -> Value { try queue.read(value) }
  func read<Value: Sendable>(
    _ value: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value { try await queue.read(value) }
  func asyncRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void) {
    queue.asyncRead(value)
  }
  func unsafeRead<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try queue.unsafeRead(value)
  }
  func unsafeRead<Value: Sendable>(
    _ value: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value { try await queue.unsafeRead(value) }
  func asyncUnsafeRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void) {
    queue.asyncUnsafeRead(value)
  }
  func unsafeReentrantRead<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try queue.unsafeReentrantRead(value)
  }
  func interrupt() { queue.interrupt() }
  func close() throws { try queue.close() }
}
