/// What requests and records need to know of a table or a view.
struct TableInfo: Sendable {
  /// The kinds of tables: https://www.sqlite.org/pragma.html#pragma_table_list
  enum Kind: String {
    case table
    case view
    case virtual
    case shadow
  }

  /// The database that holds the table.
  let schema: String
  let kind: Kind
  let columns: [ColumnInfo]
  let primaryKey: PrimaryKeyInfo
  /// The columns of each index that admits equal values once only; without those of expressions and
  /// of some rows.
  let uniqueKeys: [[String]]

  /// The name that the schema gives to a column.
  func columnName(_ name: String) -> String? {
    let name = name.asciiLowercased
    return columns.first { $0.name.asciiLowercased == name }?.name
  }

  /// Whether at most one row has given values in these columns.
  func isUniqueKey(_ columns: some Sequence<String>) -> Bool {
    let names = Set(columns.map(\.asciiLowercased))
    return keys.contains(names)
  }

  /// Whether at most one row has given values in these columns, or in some of them.
  func hasUniqueKey(within columns: some Sequence<String>) -> Bool {
    let names = Set(columns.map(\.asciiLowercased))
    return keys.contains { $0.isSubset(of: names) }
  }

  /// A name of the row id: that of its column, or else one that no column has taken; `nil` when there is
  /// none.
  var rowIDName: String? {
    guard primaryKey.tableHasRowID, kind == .table || kind == .shadow else { return nil }
    return primaryKey.rowIDColumn
      ?? ["rowid", "_rowid_", "oid"].first { columnName($0) == nil }
  }

  private var keys: [Set<String>] {
    ([primaryKey.columns] + uniqueKeys).map { Set($0.map(\.asciiLowercased)) }
  }
}
