import CWellspringSQLite
import Dispatch
import Foundation
import Storage
import Testing
import TestSupport
import WellspringSystem

@testable import StorageTestSupport

/// Connections, accesses, arguments, errors, transactions and their observers.
extension ParityTests {
  static let connections: [ParityLine] = arguments + errors + accesses + transactions + observations

  // MARK: Arguments

  private static let arguments: [ParityLine] = [
    .same(.api(2), "db.execute(sql:, arguments: [name]) where all elements are optionals") {
      let name: String? = "cup"
      let price: Double? = nil
      try withDatabase { db in
        try db.execute(sql: "INSERT INTO item (name) VALUES (?)", arguments: [name])
        try db.execute(
          sql: "INSERT INTO item (name, price) VALUES (?, ?)",
          arguments: [name, price]
        )
        try db.execute(
          sql: "INSERT INTO item (name, price) VALUES (:name, :price)",
          arguments: ["name": name, "price": price]
        )
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM item WHERE price IS NULL") == 3)
        let insert = try db.makeStatement(sql: "INSERT INTO item (name) VALUES (?)")
        try insert.execute(arguments: [name])
        let names = try String.fetchAll(
          db,
          sql: "SELECT name FROM item WHERE name = ?",
          arguments: [name]
        )
        #expect(names == ["cup", "cup", "cup", "cup"])
      }
    },
    .same(.api(20), "statement.arguments = […], statement.setUncheckedArguments([…])") {
      try withDatabase { db in
        let statement = try db.makeStatement(sql: "SELECT ?, ?")
        statement.arguments = [1, 2]
        #expect(try Row.fetchOne(statement)?.databaseValues == [1.databaseValue, 2.databaseValue])
        statement.setUncheckedArguments([3])
        #expect(try Row.fetchOne(statement)?.databaseValues == [3.databaseValue, .null])
      }
    },
    .same(.behavior(20), "named arguments that the statement does not have") {
      try withDatabase { db in
        let arguments: StatementArguments = ["id": 1, "name": "cup", "unused": 2]
        try db.execute(sql: "INSERT INTO item VALUES (:id, :name, NULL)", arguments: arguments)
        try db.execute(sql: "DELETE FROM item WHERE id = :id", arguments: arguments)
        #expect(db.changesCount == 1)
      }
    },
    .same(.behavior(17), #"db.execute(sql: "", arguments: [1]) is an error"#) {
      try withDatabase { db throws in
        try db.execute(sql: "")
        for sql in ["", " ; -- nothing"] {
          let error = #expect(throws: DatabaseError.self) {
            try db.execute(sql: sql, arguments: [1])
          }
          #expect(error?.resultCode == .SQLITE_MISUSE)
        }
      }
    },
  ]

  // MARK: Errors

  private static let errors: [ParityLine] = [
    .same(.api(23), "switch error.extendedResultCode { case .SQLITE_CONSTRAINT: … }") {
      try withDatabase { db in
        do {
          try db.execute(sql: "INSERT INTO item VALUES (1, NULL, NULL)")
          Issue.record("nothing was thrown")
        } catch let error as DatabaseError {
          switch error.extendedResultCode {
          case .SQLITE_CONSTRAINT_UNIQUE: Issue.record("not unique")
          case .SQLITE_CONSTRAINT: break
          default: Issue.record("another code")
          }
        }
      }
    },
    .same(.api(25), "db.lastErrorCode, db.lastErrorMessage") {
      try withDatabase { db in
        sqlite3_exec(db.sqliteConnection, "SELECT * FROM missing", nil, nil, nil)
        #expect(db.lastErrorCode == .SQLITE_ERROR)
        #expect(db.lastErrorMessage == "no such table: missing")
      }
    },
    .same(.api(25), "db.maximumStatementArgumentCount") {
      try withDatabase { db in
        let count = db.maximumStatementArgumentCount
        let marks = Array(repeating: "?", count: count).joined(separator: ", ")
        _ = try db.makeStatement(sql: "SELECT 1 IN (\(marks))")
      }
    },
    .same(.api(25), "Database.sqliteLibVersionNumber, error.isInterruptionError") {
      #expect(Database.sqliteLibVersionNumber >= 3_040_000)
      #expect(DatabaseError(resultCode: .SQLITE_INTERRUPT).isInterruptionError)
    },
    .same(.api(25), "db.clearSchemaCache(), pool.invalidateReadOnlyConnections()") {
      let shop = try Shop()
      let pool = shop.pool
      try await pool.write { db in db.clearSchemaCache() }
      pool.invalidateReadOnlyConnections()
      #expect(try await pool.read { db in try count(db) } == 2)
    },
  ]

  // MARK: Accesses

  private static func count(_ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT count(*) FROM item") ?? 0
  }

  private static let accesses: [ParityLine] = [
    .same(.api(20), "pool.asyncWriteWithoutTransaction { db in … }") {
      let shop = try Shop()
      let pool = shop.pool
      let counts = Recorder<Int>()
      pool.asyncWriteWithoutTransaction { db in
        try? db.execute(sql: "DELETE FROM item")
        counts.append(db.changesCount)
      }
      #expect(try await counts.nextValue() == 2)
    },
    .same(.api(20), "queue.inDatabase { db in … } without try") {
      let queue = try DatabaseQueue()
      let rowID = queue.inDatabase { db in db.lastInsertedRowID }
      #expect(rowID == 0)
      try queue.close()
      queue.inDatabase { db in
        let error = #expect(throws: DatabaseError.self) { try db.execute(sql: "SELECT 1") }
        #expect(error?.isDatabaseClosed == true)
      }
    },
    .same(.api(20), "record.databaseEquals(other) without try") {
      struct Broken: Encodable, EncodableRecord {
        func encode(to container: inout PersistenceContainer) throws { throw CancellationError() }
      }
      #expect(Item.cup.databaseEquals(.cup))
      #expect(!Item.cup.databaseEquals(.pot))
      #expect(!Broken().databaseEquals(Broken()))
    },
    .documented(
      .api(20),
      "pool.writeWithoutTransaction { db in … } and unsafeReentrantWrite without try",
      "They throw when the database is closed"
    ),
    .same(.behavior(4), "an access that is cancelled when its closure is done returns") {
      let shop = try Shop()
      let pool = shop.pool
      let write = Task {
        try await pool.writeWithoutTransaction { db in
          try db.execute(sql: "DELETE FROM item")
          withUnsafeCurrentTask { $0?.cancel() }
          return db.changesCount
        }
      }
      #expect(try await write.value == 2)
    },
    .same(.behavior(6), "a cached statement follows changes of all schemas") {
      let archive = try Shop()
      let queue = try DatabaseQueue()
      try queue.inDatabase { db in
        try db.attach(archive.path, as: "archive")
        #expect(try count(db) == 2)
        try db.execute(sql: Item.schema)
        #expect(try count(db) == 0)
      }
    },
    .same(.behavior(7), "pool.read sees the state at the beginning of the access") {
      let shop = try Shop()
      let pool = shop.pool
      try await pool.read { db in
        try onAnotherThread { try pool.write { db in try db.execute(sql: "DELETE FROM item") } }
        #expect(try count(db) == 2)
      }
    },
    .same(.behavior(10), "a read-only database is read by inDatabase, inTransaction, write…") {
      let shop = try Shop()
      var configuration = Configuration()
      configuration.readonly = true
      let queue = try DatabaseQueue(path: shop.path, configuration: configuration)
      #expect(try queue.inDatabase(count) == 2)
      #expect(try await queue.writeWithoutTransaction { db in try count(db) } == 2)
      #expect(try await queue.write { db in try count(db) } == 2)
      try queue.inTransaction { db throws in
        #expect(try count(db) == 2)
        return .commit
      }
      let copy = try DatabaseQueue.inMemoryCopy(
        fromPath: shop.path,
        configuration: configuration
      )
      #expect(try await copy.read { db in try count(db) } == 2)
    },
    .same(.behavior(11), "unsafeReentrantRead inside a write of a pool sees its changes") {
      let shop = try Shop()
      let pool = shop.pool
      try await pool.write { db in
        try db.execute(sql: "DELETE FROM item")
        #expect(try pool.unsafeReentrantRead(count) == 0)
      }
    },
    .documented(
      .behavior(17),
      "Configuration.targetQueue for synchronous accesses",
      "Synchronous accesses run on the calling thread"
    ),
    .same(.behavior(17), "Configuration.writeTargetQueue") {
      let key = DispatchSpecificKey<String>()
      let queue = DispatchQueue(label: "writes")
      queue.setSpecific(key: key, value: "writes")
      var configuration = Configuration()
      configuration.writeTargetQueue = queue
      let shop = try Shop(configuration)
      let pool = shop.pool
      #expect(try await pool.write { _ in DispatchQueue.getSpecific(key: key) } == "writes")
      #expect(try await pool.read { _ in DispatchQueue.getSpecific(key: key) } == nil)
    },
    .same(.behavior(17), "closing with a held statement is logged") {
      await #expect(processExitsWith: .success) {
        let codes = Lock<[ResultCode]>([])
        Database.logError = { code, _ in codes.withLock { $0.append(code) } }
        let queue = try DatabaseQueue()
        let statement = try queue.inDatabase { db in try db.makeStatement(sql: "SELECT 1") }
        #expect(throws: DatabaseError.self) { try queue.close() }
        withExtendedLifetime(statement) {}
        try #require(codes.withLock { $0 } == [.SQLITE_BUSY])
      }
    },
  ]

  // MARK: Transactions

  /// Counts the ends of transactions.
  private final class Ends: TransactionObserver {
    var kinds: (DatabaseEventKind) -> Bool = { _ in true }
    var refusal: (any Error)?
    var lines: [String] = []

    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool { kinds(kind) }
    func databaseDidChange() { lines.append("change") }
    func databaseWillCommit() throws {
      lines.append("will")
      if let refusal { throw refusal }
    }
    func databaseDidCommit(_ db: Database) { lines.append("commit") }
    func databaseDidRollback(_ db: Database) { lines.append("rollback") }
  }

  private static let transactions: [ParityLine] = [
    .same(.behavior(12), "observers are asked about empty transactions") {
      try withDatabase { db in
        let ends = Ends()
        db.add(transactionObserver: ends, extent: .databaseLifetime)
        try db.inTransaction(.deferred) { .commit }
        ends.refusal = CancellationError()
        #expect(throws: CancellationError.self) { try db.inTransaction(.deferred) { .commit } }
        #expect(ends.lines == ["will", "commit", "will", "rollback"])
      }
    },
    .same(.behavior(12), "a statement that fails outside a transaction is no rollback") {
      try withDatabase { db in
        let ends = Ends()
        db.add(transactionObserver: ends, extent: .databaseLifetime)
        #expect(throws: DatabaseError.self) {
          try db.execute(sql: "INSERT INTO item (id) VALUES (1)")
        }
        #expect(ends.lines == [])
      }
    },
    .same(.behavior(12), "notifyChanges(in: .fullDatabase) spares observers of nothing") {
      try withDatabase { db in
        let ends = Ends()
        ends.kinds = { _ in false }
        db.add(transactionObserver: ends, extent: .databaseLifetime)
        try db.inTransaction {
          try db.notifyChanges(in: .fullDatabase)
          return .commit
        }
        #expect(ends.lines == ["will", "commit"])
      }
    },
    .same(.behavior(15), "inTransaction whose closure rolled back by SQL and returns .commit") {
      try withDatabase { db in
        let error = #expect(throws: DatabaseError.self) {
          try db.inTransaction {
            try db.execute(sql: "ROLLBACK")
            return .commit
          }
        }
        #expect(error?.resultCode == .SQLITE_ABORT)
      }
    },
  ]

  // MARK: Observations

  /// A scheduler as GRDB's documentation shows them.
  private struct InPlace: ValueObservationScheduler {
    func immediateInitialValue() -> Bool { true }
    func schedule(_ action: @escaping @Sendable () -> Void) {
      DispatchQueue.global().async { action() }
    }
  }

  private static let observations: [ParityLine] = [
    .same(.api(19), "any DatabaseCancellable, AnyDatabaseCancellable(_:), (cancel:)") {
      let shop = try Shop()
      let pool = shop.pool
      let values = Lock<[Int]>([])
      let cancellable: any DatabaseCancellable = ValueObservation.tracking(count).start(
        in: pool,
        scheduling: .immediate,
        onError: { Issue.record($0) },
        onChange: { value in values.withLock { $0.append(value) } }
      )
      #expect(values.withLock { $0 } == [2])
      let ends = Lock(0)
      let outer = AnyDatabaseCancellable(cancel: { ends.withLock { $0 += 1 } })
      AnyDatabaseCancellable(outer).cancel()
      #expect(ends.withLock { $0 } == 1)
      cancellable.cancel()
    },
    .same(.api(19), "ValueObservation<ValueReducers.Fetch<[Item]>>") {
      let items: ValueObservation<ValueReducers.Fetch<[Item]>> = Shop.items
      let counts: ValueObservation<ValueReducers.Map<ValueReducers.Fetch<[Item]>, Int>> =
        items.map(\.count)
      let distinct: ValueObservation<ValueReducers.RemoveDuplicates<Int>> =
        counts.removeDuplicates()
      let shop = try Shop()
      let pool = shop.pool
      #expect(try await distinct.fetch(in: pool) == 2)
    },
    .same(.api(19), "a scheduler with immediateInitialValue()") {
      let shop = try Shop()
      let values = Lock<[Int]>([])
      let cancellable = ValueObservation.tracking(count).start(
        in: shop.pool,
        scheduling: InPlace(),
        onError: { Issue.record($0) },
        onChange: { value in values.withLock { $0.append(value) } }
      )
      #expect(values.withLock { $0 } == [2])
      cancellable.cancel()
      #expect(AnyScheduler.isImmediate(.immediate))
      #expect(!AnyScheduler.isImmediate(.async))
    },
    .documented(
      .api(19),
      "observation.requiresWriteAccess = true",
      "An observation only reads"
    ),
  ]

  private enum AnyScheduler {
    static func isImmediate(_ scheduler: some ValueObservationScheduler) -> Bool {
      scheduler.immediateInitialValue()
    }
  }
}
