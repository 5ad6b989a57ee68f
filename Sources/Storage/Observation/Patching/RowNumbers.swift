internal import CWellspringSQLite
internal import WellspringSystem

/// A row of a result is not one of the rows that were looked up.
struct LostRow: Error {}

/// The numbers of the rows of a result: their row ids, or numbers that represent their keys.
///
/// It is an object, because copying the keys would cost more than a patch.
final class RowNumbers: Sendable {
  private let source: PatchPlan.Source
  // Guards the keys of a table without row ids. One run at a time uses them.
  private let keys: Lock<KeyTable>?

  private var key: PatchKey { source.key }

  private init(_ source: PatchPlan.Source, _ keys: KeyTable?) {
    self.source = source
    self.keys = keys.map { Lock($0) }
  }

  /// The bytes that the keys take.
  var memory: Int { keys?.withLock(\.memory) ?? 0 }

  /// Runs a query with hidden columns, and numbers its rows.
  ///
  /// - Parameters:
  ///   - sql: The query.
  ///   - source: The query's source, with the hidden columns.
  ///   - arguments: The values of its parameters.
  ///   - db: A snapshot.
  ///   - body: Receives the statement, at each row, and the number of the row.
  /// - Returns: The numbers of the rows, with their keys.
  /// - Throws: The error of the query, or of the body.
  static func number(
    _ sql: String,
    _ source: PatchPlan.Source,
    _ arguments: [DatabaseValue],
    _ db: Database,
    _ body: (Statement, Int64) throws -> Void
  ) throws -> RowNumbers {
    let key = source.key
    guard !key.isRowID else {
      try run(sql, source, arguments, db) { statement, column in
        try body(statement, sqlite3_column_int64(statement.sqliteStatement, column))
      }
      return RowNumbers(source, nil)
    }
    var table = KeyTable()
    try run(sql, source, arguments, db) { statement, column in
      let number = table.append { key.append(statement, column, to: &$0) }
      guard let number else { throw LostRow() }
      try body(statement, number)
    }
    return RowNumbers(source, table.selecting(0..<Int64(table.count)))
  }

  /// Runs a statement whose only columns are the key.
  ///
  /// - Returns: The rows.
  /// - Throws: The error of the query.
  func rows(_ sql: String, _ arguments: [DatabaseValue], _ db: Database) throws -> RowIdentities {
    var ids: Set<Int64> = []
    var keys: Set<RowKey> = []
    try Self.run(sql, nil, arguments, db) { statement, column in
      guard !key.isRowID else {
        ids.insert(sqlite3_column_int64(statement.sqliteStatement, column))
        return
      }
      var bytes: [UInt8] = []
      guard key.append(statement, column, to: &bytes) else { throw LostRow() }
      keys.insert(RowKey(bytes: bytes))
    }
    return key.isRowID ? .rowIDs(ids) : .keys(keys)
  }

  /// Returns the numbers of rows; `nil` if these are identified in another way.
  func numbers(of rows: RowIdentities) -> Set<Int64>? {
    if rows.count == 0 { return [] }
    switch (rows, keys) {
    case (.rowIDs(let ids), nil): return ids
    case (.keys(let changed), let keys?):
      return keys.withLock { $0.numbers(of: changed) }.map { Set($0.values) }
    default: return nil
    }
  }

  /// Looks rows up.
  ///
  /// - Parameters:
  ///   - numbers: The numbers of the rows.
  ///   - sql: A query that has the keys after its other parameters, and the hidden columns.
  ///   - size: How many keys it has.
  ///   - arguments: The values of its other parameters.
  ///   - db: A snapshot.
  ///   - body: Receives the statement, at each row, and the number of the row.
  /// - Throws: The error of the query, or of the body.
  func lookUp(
    _ numbers: some Collection<Int64>,
    _ sql: String,
    size: Int,
    _ arguments: [DatabaseValue],
    _ db: Database,
    _ body: (Statement, Int64) throws -> Void
  ) throws {
    guard let first = numbers.first else { return }
    var values = arguments
    guard let keys else {
      for number in numbers { values.append(DatabaseValue(storage: .int64(number))) }
      for _ in numbers.count..<size { values.append(DatabaseValue(storage: .int64(first))) }
      return try Self.run(sql, source, values, db) { statement, column in
        try body(statement, sqlite3_column_int64(statement.sqliteStatement, column))
      }
    }
    let known = keys.withLock { keys in numbers.map { (keys.key($0), $0) } }
    for (key, _) in known { values += key.values }
    for _ in numbers.count..<size { values += known[0].0.values }
    let numbersOfKeys = Dictionary(known) { first, _ in first }
    try Self.run(sql, source, values, db) { statement, column in
      var bytes: [UInt8] = []
      guard key.append(statement, column, to: &bytes),
        let number = numbersOfKeys[RowKey(bytes: bytes)]
      else { throw LostRow() }
      try body(statement, number)
    }
  }

  /// Whether the numbers represent keys: they count from zero.
  var areSmall: Bool { keys != nil }

  /// Whether much memory is taken by rows that are no longer in use.
  func isSparse(inUse count: Int) -> Bool {
    keys?.withLock { $0.isSparse(inUse: count) } ?? false
  }

  /// Returns the numbers of some of the rows. Rows without row ids are numbered again, from 0.
  func selecting(_ numbers: some Collection<Int64>) -> RowNumbers {
    RowNumbers(source, keys?.withLock { $0.selecting(numbers) })
  }

  /// Runs a statement whose last columns are the key, and are hidden; with no source, all are the
  /// key.
  private static func run(
    _ sql: String,
    _ source: PatchPlan.Source?,
    _ arguments: [DatabaseValue],
    _ db: Database,
    _ body: (Statement, _ firstColumn: Int32) throws -> Void
  ) throws {
    let statement = try db.cachedStatement(sql: sql)
    try statement.with(.init(hiddenColumnCount: Int32(source?.hiddenCount ?? 0))) {
      try statement.setArguments(StatementArguments(values: arguments, namedValues: [:]))
      defer { statement.reset() }
      guard try statement.firstStep() else { return }
      let count = sqlite3_column_count(statement.sqliteStatement)
      let column = source.map { count - Int32($0.key.columns.count) } ?? 0
      repeat { try body(statement, column) } while try statement.step()
    }
  }
}
