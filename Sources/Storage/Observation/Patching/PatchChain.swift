internal import WellspringPlatform

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
  ///   - changed: The touched rows, to which those of the target are added.
  ///   - db: A snapshot.
  /// - Returns: The rows; `nil` if there are too many.
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
