/// The properties of a table or a view that requests and records need.
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

  /// Returns the name of a column as the schema spells it, or `nil` when the table has no such
  /// column.
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

  /// A name of the row id: the name of its column, or else an alias that no column has taken; `nil`
  /// when no name is left.
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

/// The primary key of a table, or of a view whose ``DatabaseSchemaSource`` names one.
public struct PrimaryKeyInfo: Hashable, Sendable {
  private enum Kind: Hashable {
    /// The table declares no key: its rows are identified by their hidden row ids.
    case hiddenRowID(name: String)
    /// The key is a column that is an alias of the row id.
    case rowID(String)
    /// The key is one or several columns with their own index.
    case columns([String], tableHasRowID: Bool)
  }

  private let kind: Kind

  /// The names of the columns. For a table that declares no key, it is a name of the row id:
  /// `rowid` unless a column has that name.
  public var columns: [String] {
    switch kind {
    case .hiddenRowID(let name): [name]
    case .rowID(let column): [column]
    case .columns(let columns, _): columns
    }
  }

  /// The column that holds the row id: `id` for `id INTEGER PRIMARY KEY`, `nil` for a hidden row
  /// id. The key of `id INTEGER PRIMARY KEY DESC` is not the row id.
  public var rowIDColumn: String? {
    if case .rowID(let column) = kind { column } else { nil }
  }

  /// Whether the key is the row id, hidden or not.
  public var isRowID: Bool {
    switch kind {
    case .hiddenRowID, .rowID: true
    case .columns: false
    }
  }

  /// Whether the table declares no key.
  var isHidden: Bool { if case .hiddenRowID = kind { true } else { false } }

  /// Whether the table has row ids, as every table that is not `WITHOUT ROWID` does.
  public var tableHasRowID: Bool {
    if case .columns(_, let tableHasRowID) = kind { tableHasRowID } else { true }
  }

  /// Describes the key of a view: its columns, or none.
  init(viewColumns: [String]) {
    kind =
      viewColumns.isEmpty
      ? .hiddenRowID(name: Column.rowID.name) : .columns(viewColumns, tableHasRowID: false)
  }

  /// Describes the key of a table. It has an index of its own unless it is the row id, or the table
  /// has no row ids.
  init(columns: [ColumnInfo], tableHasRowID: Bool, hasIndex: Bool) {
    let key = columns.filter { $0.primaryKeyIndex > 0 }
      .sorted { $0.primaryKeyIndex < $1.primaryKeyIndex }
    switch key.count {
    case 0:
      kind = .hiddenRowID(name: RowIDName.free(of: columns.map(\.name)) ?? Column.rowID.name)
    // https://www.sqlite.org/lang_createtable.html#rowid
    case 1 where tableHasRowID && !hasIndex && key[0].type.asciiLowercased == "integer":
      kind = .rowID(key[0].name)
    default:
      kind = .columns(key.map(\.name), tableHasRowID: tableHasRowID)
    }
  }
}
