internal import WellspringPlatform

extension PatchPlan {
  /// Returns the rows of the result that changes may touch, and those that they may bring into it.
  ///
  /// - Parameters:
  ///   - changed: The rows of all tables that have changed.
  ///   - numbers: What the numbers of rows stand for.
  ///   - arguments: The values of the query's parameters.
  ///   - db: A snapshot in which no other row has changed.
  ///   - held: Returns the rows of the result that were joined with some rows of another table.
  /// - Returns: Their numbers; `nil` when they are too many, or not known.
  /// - Throws: The error of the query.
  func rows(
    touchedBy changed: ChangedRows,
    _ numbers: RowNumbers,
    _ arguments: [DatabaseValue],
    _ db: Database,
    held: (_ rows: Set<Int64>, _ partner: Int) -> [Int64]
  ) throws -> Set<Int64>? {
    guard !others.contains(where: changed.touches),
      var changed = changed.following(links)
    else { return nil }
    for chain in chains {
      guard let next = try chain.following(changed, db) else { return nil }
      changed = next
    }
    guard var touched = numbers.numbers(of: changed.rows(of: table)) else { return nil }
    for (partner, table) in partners.enumerated() {
      let rows = changed.rows(of: table)
      guard rows.count > 0 else { continue }
      guard let (numbersOfRows, keys) = source.partners[partner].keys(of: rows),
        let size = Self.lookupSizes.first(where: { $0 >= keys.count })
      else { return nil }
      if !Fault.isOn(.patchPartner) { touched.formUnion(held(numbersOfRows, partner)) }
      if !soughtPartners.contains(partner) || Fault.isOn(.patchJoined) { continue }
      let filled = keys + Array(repeating: keys[0], count: size - keys.count)
      let sql = joinedSQL(with: partner, count: size)
      let found = try numbers.rows(sql, arguments + filled.joined(), db)
      guard found.count <= Self.maximumJoined, let found = numbers.numbers(of: found) else {
        return nil
      }
      touched.formUnion(found)
    }
    return touched
  }
}
