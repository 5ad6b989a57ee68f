/// The columns of a table that have values in the preupdate hook: in the order in which they are
/// stored, without virtual generated columns.
struct StoredColumns {
  let names: [ColumnName]
  /// Whether each column has a default. In a row that was written before `ADD COLUMN`, the hook
  /// shows NULL for the column, while a query reads the default.
  let hasDefault: [Bool]
  /// How many columns without a value the hook counts.
  let virtualCount: Int
  /// The places at which the columns are declared.
  private let places: [Int32]
  private let isWithoutRowID: Bool
  /// The column whose values the hook cannot give, if there is one.
  private let hiddenColumn: Int?

  /// Plain columns of a table with row ids.
  init(names: [ColumnName]) {
    self.names = names
    hasDefault = names.map { _ in false }
    virtualCount = 0
    places = names.indices.map(Int32.init)
    isWithoutRowID = false
    hiddenColumn = nil
  }

  init(of table: TableName, _ db: Database) throws {
    let all = try Row.fetchAll(
      db,
      sql: "SELECT cid, name, hidden, dflt_value, pk FROM pragma_table_xinfo(?, ?)",
      arguments: [table.name, table.schema]
    )
    let rows = all.filter { $0["hidden"] as Int != 2 }
    names = try rows.map { try ColumnName($0.decode(forColumn: "name")) }
    hasDefault = rows.map { $0["dflt_value"] as DatabaseValue != .null }
    virtualCount = all.count - rows.count
    places = rows.map { Int32($0["cid"] as Int) }
    isWithoutRowID =
      try virtualCount > 0
      && Bool.fetchOne(
        db,
        sql: "SELECT wr FROM pragma_table_list WHERE schema = ? AND lower(name) = lower(?)",
        arguments: [table.schema, table.name]
      ) == true
    // SQLite 3.40 mistakes the number of this stored column for that of the key, and gives the row
    // id.
    let key = all.filter { $0["pk"] as Int > 0 }.map { Int($0["cid"] as Int) }
    hiddenColumn =
      virtualCount > 0 && !isWithoutRowID && !PreupdateNumbering.followsDeclaration
        && key.count == 1 && places.indices.contains(key[0]) && Int(places[key[0]]) != key[0]
      ? key[0] : nil
  }

  /// Returns the hook's numbers for a column's values before and after an update; `nil` if the hook
  /// has no value of the column.
  func numbers(of column: Int) -> (old: Int32, new: Int32)? {
    if column == hiddenColumn { return nil }
    guard virtualCount > 0, column < places.count else { return (Int32(column), Int32(column)) }
    let place = places[column]
    let number = PreupdateNumbering.followsDeclaration ? place : Int32(column)
    return (isWithoutRowID ? place : number, number)
  }

  /// Returns the set of the numbers of columns.
  func set(of columns: Extent<ColumnName>) -> ColumnSet {
    guard case .some(let names) = columns else { return .all }
    var set = ColumnSet()
    for (index, name) in self.names.enumerated() where names.contains(name) { set.insert(index) }
    return set
  }

  /// Returns the names of the columns in a set.
  func names(in set: ColumnSet) -> Set<ColumnName> {
    Set(names.indices.filter(set.contains).map { names[$0] })
  }
}
