/// What requests and records need to know about a table or a view.
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
  /// The columns of each unique index, without indexes on expressions and partial indexes.
  let uniqueKeys: [[String]]

  /// Returns the name of a column as the schema spells it, or `nil` when there is no such column.
  func columnName(_ name: String) -> String? {
    let name = name.asciiLowercased
    return columns.first { $0.name.asciiLowercased == name }?.name
  }

  /// Returns the primary key, or the hidden row id.
  ///
  /// - Throws: ``DatabaseError`` for a view that has no key.
  func requiredPrimaryKey(_ name: String) throws -> PrimaryKeyInfo {
    guard hasKey else {
      throw DatabaseError(
        resultCode: .SQLITE_ERROR,
        message: """
          the view \(name) has no primary key: name its columns in the schemaSource of the \
          configuration
          """
      )
    }
    return primaryKey
  }

  /// Whether there is a primary key, or a hidden row id.
  var hasKey: Bool { kind != .view || !primaryKey.isHidden }

  /// Returns whether values of these columns, or of some of them, identify at most one row.
  func hasUniqueKey(within columns: some Sequence<String>) -> Bool {
    let names = Set(columns.map(\.asciiLowercased))
    return keys.contains { $0.isSubset(of: names) }
  }

  /// A name of the row id: that of its column, or else an alias that no column has taken; `nil`
  /// when there is none.
  var rowIDName: String? {
    guard primaryKey.tableHasRowID, kind == .table || kind == .shadow else { return nil }
    return primaryKey.rowIDColumn ?? RowIDName.free(of: columns.map(\.name))
  }

  private var keys: [Set<String>] {
    ((primaryKey.isHidden ? [] : [primaryKey.columns]) + uniqueKeys + rowIDKeys)
      .map { Set($0.map(\.asciiLowercased)) }
  }

  /// The names of the row id that no column has taken.
  private var rowIDKeys: [[String]] {
    guard primaryKey.tableHasRowID, kind != .view else { return [] }
    return RowIDName.all.filter { columnName($0) == nil }.map { [$0] }
  }
}
