/// What requests and records need to know of a table or a view.
struct TableInfo: Sendable {
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

  private var keys: [Set<String>] {
    ([primaryKey.columns] + uniqueKeys).map { Set($0.map(\.asciiLowercased)) }
  }
}

/// The tables that a connection has looked up, as long as the schema stays as it is.
struct SchemaCache {
  /// The schemas that say what a name in `main` means: `temp` hides its tables.
  struct Version: Hashable {
    let main: Int64
    let temp: Int64
  }

  private var version: Version?
  private var tables: [String: TableInfo] = [:]

  mutating func table(_ name: String, at version: Version) -> TableInfo? {
    if self.version != version {
      self.version = version
      tables = [:]
    }
    return tables[name]
  }

  mutating func insert(_ table: TableInfo, _ name: String) {
    tables[name] = table
  }
}
