extension Prefetch {
  /// Fetches the rows that belong to rows with some keys.
  ///
  /// - Returns: For each key, in the order of the keys, the elements that belong to it.
  func fetch<Element>(
    _ keys: PrefetchKeys,
    _ db: Database,
    _ decode: (Row) throws -> Element
  ) throws -> [[Element]] {
    var groups = [[Element]](repeating: [], count: keys.count)
    guard keys.count > 0 else { return groups }
    let (request, columns) = try query(keys).prepare(db, groupedBy: grouping)
    guard request.prefetches.isEmpty else {
      var positions: [Int?] = []
      let rows = try RowBuffer(request, db) { positions.append(keys.position(of: $0, columns)) }
      defer { rows.finish() }
      for (position, row) in zip(positions, rows.rows) {
        if let position { groups[position].append(try decode(row)) }
      }
      return groups
    }
    let statement = request.statement
    defer { statement.reset() }
    guard try statement.firstStep() else { return groups }
    let row = try Row.live(in: statement, request.adapter)
    let base = row.unadapted
    repeat {
      if let position = keys.position(of: base, columns) {
        groups[position].append(try decode(row))
      }
      row.rewind()
    } while try statement.step()
    return groups
  }
}

extension PrefetchKeys {
  /// Returns the position of the key that some columns of a row hold.
  fileprivate func position(of row: Row, _ columns: [Int]) -> Int? {
    if columns.count == 1, isIntegers {
      let integer = row.withColumn(
        at: columns[0],
        live: { Int64.fromColumnValue($0) },
        copied: { Int64.fromDatabaseValue($0) }
      )
      if let integer { return position(of: integer) }
    }
    return position(of: columns.map { row.databaseValue(at: $0) })
  }
}
