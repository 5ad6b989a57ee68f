internal import CWellspringSQLite

/// The run of the statement that fetches the associated rows of all rows.
@usableFromInline
final class PrefetchRun {
  /// The number of keys that the rows belong to.
  @usableFromInline let keyCount: Int
  /// The current row.
  @exclusivity(unchecked) @usableFromInline private(set) var row: Row
  private let keys: PrefetchKeys
  private let columns: [Int]
  private let statement: Statement
  /// The rows, if they have associated rows themselves; otherwise the statement is running.
  private var buffer: RowBuffer?
  private var positions: [Int?] = []
  private var next = 0
  // Rows with one key often follow each other.
  private var lastKey: (value: Int64, position: Int)?

  /// Starts the statement. Returns `nil` when it has no rows.
  init?(_ prefetch: Prefetch, _ keys: PrefetchKeys, _ db: Database) throws {
    guard keys.count > 0 else { return nil }
    let (request, columns) = try prefetch.query(keys).prepare(db, groupedBy: prefetch.grouping)
    self.keys = keys
    self.columns = columns
    keyCount = keys.count
    statement = request.statement
    if request.prefetches.isEmpty {
      guard try statement.firstStep() else {
        statement.reset()
        return nil
      }
      do {
        row = try Row.live(in: statement, request.adapter)
      } catch {
        statement.reset()
        throw error
      }
    } else {
      var positions: [Int?] = []
      let buffer = try RowBuffer(request, db) { row in
        positions.append(try keys.position(of: columns.map { row.databaseValue(at: $0) }))
        return true
      }
      guard let first = buffer.rows.first else { return nil }
      row = first
      self.buffer = buffer
      self.positions = positions
    }
  }

  /// Advances to the next row that belongs to a key, and returns the position of the key; `nil` at
  /// the end.
  @usableFromInline
  func nextPosition() throws -> Int? {
    if let buffer {
      try buffer.checkFailure()
      while next < buffer.rows.count {
        row = buffer.rows[next]
        next += 1
        if let position = positions[next - 1] { return position }
      }
      return nil
    }
    // The first row is there when the run begins.
    while try next == 0 || statement.step() {
      if next > 0 { row.rewind() }
      next += 1
      if let position = try livePosition() { return position }
    }
    return nil
  }

  /// The position of the key of the running statement's row.
  private func livePosition() throws -> Int? {
    if columns.count == 1, keys.isIntegers {
      let value = ColumnValue(statement.sqliteStatement, Int32(columns[0]))
      if value.isInteger {
        let key = value.int64
        if let lastKey, lastKey.value == key { return lastKey.position }
        if let position = keys.position(of: key) {
          lastKey = (key, position)
          return position
        }
      }
    }
    return try keys.position(of: columns.map { row.unadapted.databaseValue(at: $0) })
  }

  /// Ends the run.
  @usableFromInline
  func finish() {
    buffer?.finish()
    if buffer == nil { statement.reset() }
  }

  /// Decodes all rows.
  ///
  /// - Returns: For each key, in the order of the keys, the elements that belong to it.
  @inlinable
  func elements<Element>(_ decode: (Row) throws -> Element) throws -> [[Element]] {
    defer { finish() }
    var groups = [[Element]](repeating: [], count: keyCount)
    while let position = try nextPosition() { groups[position].append(try decode(row)) }
    return groups
  }
}

extension ColumnValue {
  fileprivate var isInteger: Bool { type == SQLITE_INTEGER }
}
