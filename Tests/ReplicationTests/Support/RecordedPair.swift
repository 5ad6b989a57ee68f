import Recording
import Storage
import Testing

@testable import Replication

/// A database whose transactions are recorded, and a copy on which they are repeated.
final class RecordedPair {
  let primary: DatabaseQueue
  let replica: DatabaseQueue
  private(set) var transactions: [RecordedTransaction] = []
  private var repeated = 0
  /// The calls, in order: `will`, `did`, `undone`.
  private(set) var calls: [String] = []
  /// Called with each transaction before its commit.
  var willCommit: ((RecordedTransaction, Database) throws -> Void)?

  init(_ sql: String = "") throws {
    primary = try DatabaseQueue()
    replica = try DatabaseQueue()
    try primary.writeWithoutTransaction { db in
      try db.execute(sql: sql)
      try db.startRecording(Listener(self))
    }
    try replica.writeWithoutTransaction { try $0.execute(sql: sql) }
  }

  /// Gets the transactions for a pair, and does not keep it.
  private final class Listener: TransactionRecorderDelegate {
    private weak var pair: RecordedPair?

    init(_ pair: RecordedPair) { self.pair = pair }

    func willCommit(_ transaction: RecordedTransaction, _ db: Database) throws {
      pair?.calls.append("will")
      try pair?.willCommit?(transaction, db)
      pair?.transactions.append(transaction)
    }

    func didCommit(_ db: Database) { pair?.calls.append("did") }

    func didRollBack(_ db: Database) {
      pair?.calls.append("undone")
      pair?.transactions.removeLast()
    }
  }

  /// Runs SQL on the recorded database, each statement as a transaction of its own unless the SQL
  /// says something else.
  func run(_ sql: String) throws {
    try primary.writeWithoutTransaction { try $0.execute(sql: sql) }
  }

  /// The items of the transactions since the last call of this method or of ``repeatAll()``.
  func newItems() -> [RecordedItem] {
    defer { repeated = transactions.count }
    return transactions[repeated...].flatMap(\.items)
  }

  /// Repeats the new transactions on the copy, from their binary form.
  func repeatAll() throws {
    let new = try transactions[repeated...].map { try RecordedTransaction(decoding: $0.encoded()) }
    try replica.write { try Applier().apply(new, in: $0) }
    repeated = transactions.count
  }

  /// Makes the copy equal, as a snapshot does.
  func copyAll() throws {
    try primary.backup(to: replica)
    repeated = transactions.count
  }

  /// How many transactions are new.
  var newCount: Int { transactions.count - repeated }

  /// Why one of the new transactions cannot be repeated; `nil` if all can.
  var snapshotReason: String? { transactions[repeated...].lazy.compactMap(\.snapshotReason).first }

  /// Repeats the new transactions, and expects equal content: rows, row ids, sequences, schema.
  func expectEqual(_ sourceLocation: SourceLocation = #_sourceLocation) throws {
    try repeatAll()
    let left = try primary.read(DatabaseContent.init)
    let right = try replica.read(DatabaseContent.init)
    #expect(left.differences(from: right) == [], sourceLocation: sourceLocation)
  }

  /// Runs SQL on the recorded database, and expects equal content afterwards.
  func expectEqual(
    after sql: String,
    _ sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try run(sql)
    try expectEqual(sourceLocation)
  }
}

/// All that two copies of a database have in common.
struct DatabaseContent: Equatable {
  let schema: [String]
  let rows: [String: [String]]
  let header: [Int]

  /// Returns the lines that only one of two contents has.
  func differences(from other: DatabaseContent) -> [String] {
    func lines(_ content: DatabaseContent) -> Set<String> {
      Set(content.schema + content.header.map { "\($0)" })
        .union(content.rows.flatMap { table, rows in rows.map { "\(table): \($0)" } })
    }
    let (here, there) = (lines(self), lines(other))
    let differences =
      here.subtracting(there).map { "+ \($0)" } + there.subtracting(here).map { "- \($0)" }
    return differences.isEmpty && self != other ? ["the order"] : differences.sorted()
  }

  init(_ db: Database) throws {
    schema = try String.fetchAll(
      db,
      sql: "SELECT type || name || coalesce(sql, '') FROM main.sqlite_schema ORDER BY type, name"
    )
    header = try ["user_version", "application_id"].map {
      try Int.fetchOne(db, sql: "PRAGMA main.\($0)") ?? 0
    }
    let tables = try Row.fetchAll(
      db,
      sql: """
        SELECT name, wr FROM pragma_table_list
        WHERE schema = 'main' AND type IN ('table', 'shadow') AND name <> 'sqlite_schema'
          AND name NOT LIKE '\\_replication%' ESCAPE '\\'
        """
    )
    var rows: [String: [String]] = [:]
    for table in tables {
      let name: String = table["name"]
      let columns = try String.fetchAll(
        db,
        sql: "SELECT name FROM pragma_table_xinfo(?, 'main')",
        arguments: [name]
      )
      let free = ["rowid", "_rowid_", "oid"].first { !columns.contains($0) }
      let values = columns.map {
        "typeof(\($0.quotedDatabaseIdentifier)), "
          + "quote(\($0.quotedDatabaseIdentifier))"
      }
      let key = table["wr"] as Bool ? [] : free.map { [$0] } ?? []
      rows[name] = try Row.fetchAll(
        db,
        sql: "SELECT \((key + values).joined(separator: ", ")) "
          + "FROM main.\(name.quotedDatabaseIdentifier)"
      ).map { "\($0)" }.sorted()
    }
    self.rows = rows
  }
}
