internal import CWellspringSQLite
internal import WellspringPlatform

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
  let isWithoutRowID: Bool
  /// Whether each column may hold an integer that the hook shows as a real number.
  ///
  /// In a table without row ids, or with virtual columns, SQLite 3.40 takes the affinity of another
  /// column for that of this one.
  private let showsIntegersAsReal: [Bool]
  /// The column whose values the hook cannot give, if there is one.
  private let hiddenColumn: Int?
  /// The column that is another name of the row id, if there is one.
  let rowIDColumn: Int?
  /// The columns of the primary key of a table without row ids, with their collations; `nil` if the
  /// table has row ids, or if equal keys cannot be told from their bytes.
  let key: [(column: Int, collation: RowKeyCollation)]?

  /// Plain columns of a table with row ids.
  init(names: [ColumnName]) {
    self.names = names
    hasDefault = names.map { _ in false }
    virtualCount = 0
    places = names.indices.map(Int32.init)
    isWithoutRowID = false
    showsIntegersAsReal = []
    hiddenColumn = nil
    rowIDColumn = nil
    key = nil
  }

  /// Reads the columns of a table.
  ///
  /// - Throws: ``DatabaseError``; ``RowDecodingError`` when a name is not UTF-8, so that it may
  ///   stand for several tables or columns.
  init(of table: TableName, _ db: Database) throws {
    guard !table.name.mayBeRepaired else {
      throw DatabaseError(
        resultCode: .SQLITE_ERROR,
        message: "the name of the table \(table) is not valid UTF-8"
      )
    }
    let all = try Row.fetchAll(
      db,
      sql: "SELECT cid, name, type, hidden, dflt_value, pk FROM pragma_table_xinfo(?, ?)",
      arguments: [table.name, table.schema]
    )
    let rows = all.filter { $0["hidden"] as Int != 2 }
    names = try rows.map { try ColumnName($0.decode(forColumn: "name")) }
    hasDefault = rows.map { $0["dflt_value"] as DatabaseValue != .null }
    virtualCount = Fault.isOn(.virtualColumns) ? 0 : all.count - rows.count
    places = rows.map { Int32($0["cid"] as Int) }
    let hasKey = all.contains { $0["pk"] as Int > 0 }
    let index = hasKey ? try TableKey.index(of: table, db) : .none
    let tableKey: TableKey? = if case .table(let key) = index { key } else { nil }
    isWithoutRowID = tableKey != nil
    self.key = Self.key(tableKey, places)
    func isReal(_ column: Row) -> Bool {
      ColumnAffinity(type: column.schemaText("type") ?? "") == .real
    }
    // With virtual columns, SQLite also takes the affinity of another column where there are row
    // ids.
    showsIntegersAsReal =
      (isWithoutRowID || virtualCount > 0) && all.contains(where: isReal)
      ? rows.map { !isReal($0) } : []
    // SQLite 3.40 mistakes the number of this stored column for that of the key, and gives the row
    // id.
    let key = all.filter { $0["pk"] as Int > 0 }.map { Int($0["cid"] as Int) }
    hiddenColumn =
      virtualCount > 0 && !isWithoutRowID && !PreupdateNumbering.followsDeclaration
        && key.count == 1 && places.indices.contains(key[0]) && Int(places[key[0]]) != key[0]
      ? key[0] : nil
    // A key without an index is another name of the row id.
    if case .none = index, key.count == 1 {
      rowIDColumn = places.firstIndex { Int($0) == key[0] }
    } else {
      rowIDColumn = nil
    }
  }

  private static func key(
    _ key: TableKey?,
    _ places: [Int32]
  ) -> [(column: Int, collation: RowKeyCollation)]? {
    guard let key, let collations = key.collations else { return nil }
    let columns = key.columns.compactMap { places.firstIndex(of: Int32($0.number)) }
    guard columns.count == collations.count else { return nil }
    return zip(columns, collations).map { ($0, $1) }
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

  /// Whether equal real numbers may stand for an integer and a real number.
  func showsIntegersAsReal(_ column: Int) -> Bool {
    showsIntegersAsReal.indices.contains(column) && showsIntegersAsReal[column]
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

extension StoredColumns {
  /// Returns the key of a row before its change, inside the preupdate hook.
  func oldKey(_ connection: OpaquePointer) -> RowKey? {
    key { sqlite3_preupdate_old(connection, $0.old, &$1) }
  }

  /// Returns the key of a row after its change, inside the preupdate hook.
  func newKey(_ connection: OpaquePointer, _ operation: Int32) -> RowKey? {
    // The values of an inserted row have the numbers of those of a deleted row.
    key { sqlite3_preupdate_new(connection, operation == SQLITE_INSERT ? $0.old : $0.new, &$1) }
  }

  private func key(
    _ read: ((old: Int32, new: Int32), inout OpaquePointer?) -> Int32
  ) -> RowKey? {
    guard let key else { return nil }
    var bytes: [UInt8] = []
    for (column, collation) in key {
      var value: OpaquePointer?
      guard let numbers = numbers(of: column), read(numbers, &value) == SQLITE_OK, let value,
        !PreupdateValue.mayBeRounded(value), bytes.appendKey(value, collation)
      else { return nil }
    }
    return RowKey(bytes: bytes)
  }
}
