internal import CWellspringSQLite
internal import WellspringSystem

/// The columns of a table that have values in the preupdate hook: in the order in which they are
/// stored, without virtual generated columns.
struct StoredColumns {
  let names: [ColumnName]
  /// Whether each column has a default. In a row that was written before `ADD COLUMN`, the hook
  /// shows NULL for the column, while a query reads the default.
  let hasDefault: [Bool]
  /// How many columns without a value the hook counts.
  let virtualCount: Int
  /// The numbers of the columns in the hook; `nil` where it does not give the values.
  private let hookNumbers: [DeclaredTable.HookNumbers?]
  let isWithoutRowID: Bool
  /// Whether each column may hold an integer that the hook shows as a real number.
  ///
  /// In a table without row ids, or with virtual columns, SQLite 3.40 uses the affinity of another
  /// column for this column.
  private let showsIntegersAsReal: [Bool]
  /// The column that is another name of the row id, if there is one.
  let rowIDColumn: Int?
  /// The columns of the primary key of a table without row ids, with their collations; `nil` if the
  /// table has row ids, or if equal keys cannot be recognized by their bytes.
  let key: [(column: Int, collation: RowKeyCollation)]?

  /// Plain columns of a table with row ids.
  init(names: [ColumnName]) {
    self.names = names
    hasDefault = names.map { _ in false }
    virtualCount = 0
    hookNumbers = names.indices.map(Self.plainNumbers)
    isWithoutRowID = false
    showsIntegersAsReal = []
    rowIDColumn = nil
    key = nil
  }

  /// Reads the columns of a table.
  ///
  /// - Throws: ``DatabaseError``; ``RowDecodingError`` when a name is not UTF-8, so that it may be
  ///   the name of several tables or columns.
  init(of table: TableName, _ db: Database) throws {
    guard !table.name.mayBeRepaired else {
      throw DatabaseError(
        resultCode: .SQLITE_ERROR,
        message: "the name of the table \(table) is not valid UTF-8"
      )
    }
    let declared = try db.declaredTable(table)
    let columns = declared.storedColumns
    for column in columns { try column.checkName() }
    names = columns.map { ColumnName($0.name) }
    hasDefault = columns.map { $0.defaultSQL != nil }
    virtualCount = Fault.isOn(.virtualColumns) ? 0 : declared.columns.count - columns.count
    hookNumbers =
      virtualCount == 0
      ? columns.indices.map(Self.plainNumbers)
      : columns.enumerated().map(declared.hookNumbers)
    isWithoutRowID = declared.isWithoutRowID
    // With virtual columns, SQLite also takes the affinity of another column where there are row
    // ids.
    showsIntegersAsReal =
      (isWithoutRowID || virtualCount > 0) && declared.columns.contains { $0.affinity == .real }
      ? columns.map { $0.affinity != .real } : []
    rowIDColumn = declared.rowIDColumn.flatMap { key in
      columns.firstIndex { $0.ordinal == key.ordinal }
    }
    key = declared.key.flatMap { Self.key($0, columns) }
  }

  private static func plainNumbers(of index: Int) -> DeclaredTable.HookNumbers {
    DeclaredTable.HookNumbers(
      old: Int32(index),
      inserted: Int32(index),
      updated: Int32(index)
    )
  }

  private static func key(
    _ key: TableKey,
    _ stored: [DeclaredColumn]
  ) -> [(column: Int, collation: RowKeyCollation)]? {
    guard let collations = key.collations else { return nil }
    let columns = key.columns.compactMap { column in
      stored.firstIndex { $0.ordinal == column.number }
    }
    guard columns.count == collations.count else { return nil }
    return zip(columns, collations).map { ($0, $1) }
  }

  /// Returns the hook's numbers for the values of a column; `nil` if the hook has no value of the
  /// column. A column that was added since has its own number.
  func numbers(of column: Int) -> DeclaredTable.HookNumbers? {
    column < hookNumbers.count ? hookNumbers[column] : Self.plainNumbers(of: column)
  }

  /// Whether two equal real numbers may come from an integer and from a real number.
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
  /// Returns the key of a row before its change.
  func oldKey(_ row: PreupdateRow) -> RowKey? { key { row.old($0.old) } }

  /// Returns the key of a row after its change.
  func newKey(_ row: PreupdateRow) -> RowKey? {
    key { row.new(row.isInserted ? $0.inserted : $0.updated) }
  }

  private func key(_ value: (DeclaredTable.HookNumbers) -> OpaquePointer?) -> RowKey? {
    guard let key else { return nil }
    var bytes: [UInt8] = []
    for (column, collation) in key {
      guard let value = numbers(of: column).flatMap(value), !PreupdateRow.mayBeRounded(value),
        bytes.appendKey(value, collation)
      else { return nil }
    }
    return RowKey(bytes: bytes)
  }
}

/// A set of column numbers in one word. Columns from the 64th on share one bit: if one of these is
/// in the set, all are.
struct ColumnSet: Equatable {
  private var bits: UInt64 = 0

  static let all: ColumnSet = {
    var set = ColumnSet()
    set.bits = .max
    return set
  }()

  var isEmpty: Bool { bits == 0 }

  mutating func insert(_ column: Int) { bits |= Self.bit(column) }
  func contains(_ column: Int) -> Bool { bits & Self.bit(column) != 0 }
  mutating func formUnion(_ other: ColumnSet) { bits |= other.bits }

  func subtracting(_ other: ColumnSet) -> ColumnSet {
    var set = self
    set.bits &= ~other.bits
    return set
  }

  private static func bit(_ column: Int) -> UInt64 { 1 << UInt64(min(column, 63)) }
}
