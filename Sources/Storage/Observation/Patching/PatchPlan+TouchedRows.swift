internal import WellspringSystem

extension PatchPlan {
  /// Returns the rows of the result that changes may touch, and the rows that they may bring into
  /// it.
  ///
  /// - Parameters:
  ///   - changed: The rows of all tables that have changed.
  ///   - numbers: The keys that the numbers of rows represent.
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

/// Associated rows that have associated rows themselves, and the rows that they belong to.
///
/// In `Team.including(all: Team.players.including(all: Player.citizenships))`, a link leads from a
/// changed citizenship to its player, and this chain from the player to its team. The player has
/// not changed, so that its row tells the team. If it has changed as well, its own change touches
/// the teams of before and after.
struct PatchChain: Hashable, Sendable {
  /// The table of the associated rows.
  let table: TableName
  /// The table of the rows that they belong to.
  let target: TableName
  private let select: String
  private let key: PatchKey

  /// - Parameters:
  ///   - link: How changed associated rows lead to the rows that they belong to.
  ///   - schema: The schema.
  /// - Throws: ``PatchObstacle/cannotNameRowID``.
  init(_ link: PatchLink, _ schema: RegionSchema) throws(PatchObstacle) {
    func rowIDName(_ name: TableName) throws(PatchObstacle) -> String {
      guard let columns = schema.tables[name]?.columns,
        let rowID = RowIDName.free(of: columns.map(\.name))
      else { throw .cannotNameRowID }
      return rowID
    }
    table = link.table
    target = link.target
    let (own, outer) = (try rowIDName(table), try rowIDName(target))
    let column = link.column.isRowID ? own : link.column.name.name.quotedDatabaseIdentifier
    select = """
      SELECT b.\(outer) FROM main.\(table.name.quotedDatabaseIdentifier) AS a \
      CROSS JOIN main.\(target.name.quotedDatabaseIdentifier) AS b \
      WHERE b.\(outer) = a.\(column) AND
      """
    key = PatchKey(rowID: "a.\(own)")
  }

  /// Adds the rows that touched associated rows belong to.
  ///
  /// - Parameters:
  ///   - changed: The touched rows. The rows of the target are added to them.
  ///   - db: A snapshot.
  /// - Returns: The rows; `nil` if they are too many.
  /// - Throws: The error of the query.
  func following(_ changed: ChangedRows, _ db: Database) throws -> ChangedRows? {
    let rows = changed.rows(of: table)
    guard rows.count > 0 else { return changed }
    guard case .rowIDs(let ids) = rows,
      let size = PatchPlan.lookupSizes.first(where: { $0 >= ids.count })
    else { return nil }
    var values = ids.map { DatabaseValue(storage: .int64($0)) }
    values += Array(repeating: values[0], count: size - values.count)
    let statement = try db.cachedStatement(
      sql: "\(select) \(key.lookupSQL(count: size, firstParameter: 1))"
    )
    let found = try Int64.fetchSet(
      statement,
      arguments: StatementArguments(values: values, namedValues: [:])
    )
    return Fault.isOn(.patchChain) ? changed : changed.adding(found, of: target)
  }
}
