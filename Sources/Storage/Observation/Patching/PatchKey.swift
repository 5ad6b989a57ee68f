internal import CWellspringSQLite
internal import WellspringSystem

/// A table in the `FROM` of a query that may be patched.
struct PatchTable {
  let name: TableName
  /// How columns of the table are qualified.
  let qualifier: String
  /// The key that identifies its rows.
  let key: PatchKey
  /// Whether it is the right table of a `LEFT JOIN`.
  let isOptional: Bool
}

/// The key of the rows of a patched query: the row id, or the primary key of a table without row
/// ids.
struct PatchKey: Hashable, Sendable {
  struct Column: Hashable, Sendable {
    /// The column, qualified.
    let sql: String
    /// The column with the collation of the key; without one for a row id.
    let term: String
    let collation: RowKeyCollation
    let isDescending: Bool
  }

  let columns: [Column]
  let isRowID: Bool

  /// - Parameter rowID: A name of the row id, qualified.
  init(rowID: String) {
    columns = [Column(sql: rowID, term: rowID, collation: .binary, isDescending: false)]
    isRowID = true
  }

  /// - Returns: `nil` if equal keys cannot be recognized by their bytes.
  init?(_ key: TableKey, qualifier: String) {
    guard let collations = key.collations else { return nil }
    columns = zip(key.columns, collations).map { column, collation in
      Column(
        sql: "\(qualifier).\(column.name.quotedDatabaseIdentifier)",
        term: Self.term(qualifier, column.name, collation: column.collation),
        collation: collation,
        isDescending: column.isDescending
      )
    }
    isRowID = false
  }

  /// The row id, qualified; `nil` for a key.
  var rowID: String? { isRowID ? columns[0].sql : nil }

  /// The columns as the last columns of a `SELECT`.
  var columnsSQL: String { columns.map(\.sql).joined(separator: ", ") }

  /// A condition that is true for some rows.
  ///
  /// - Parameters:
  ///   - count: The number of keys.
  ///   - firstParameter: The number of the first parameter. Each key has one for each column.
  /// - Returns: The condition.
  func lookupSQL(count: Int, firstParameter: Int) -> String {
    guard columns.count > 1 else {
      let parameters = (0..<count).map { "?\(firstParameter + $0)" }
      return "\(columns[0].term) IN (\(parameters.joined(separator: ", ")))"
    }
    let keys = (0..<count).map { number in
      let first = firstParameter + number * columns.count
      let terms = columns.enumerated().map { "\($1.term) = ?\(first + $0)" }
      return "(\(terms.joined(separator: " AND ")))"
    }
    return "(\(keys.joined(separator: " OR ")))"
  }

  /// The terms that order a table without row ids as it is stored; none for row ids.
  func terms(isReversed: Bool) -> [String] {
    guard !isRowID else { return [] }
    let isReversed = isReversed != Fault.isOn(.patchKeyOrder)
    return columns.map { $0.isDescending != isReversed ? $0.term + " DESC" : $0.term }
  }

  static func term(_ qualifier: String, _ name: String, collation: String) -> String {
    """
    \(qualifier).\(name.quotedDatabaseIdentifier) \
    COLLATE \(collation.quotedDatabaseIdentifier)
    """
  }
}

extension PatchKey {
  /// Appends the key of the row at which a statement is.
  ///
  /// - Returns: Whether the columns are a key.
  func append(
    _ statement: Statement,
    _ firstColumn: Int32,
    to bytes: inout [UInt8]
  ) -> Bool {
    for (index, column) in columns.enumerated() {
      guard
        bytes.appendKey(
          statement.sqliteStatement,
          column: firstColumn + Int32(index),
          column.collation
        )
      else { return false }
    }
    return true
  }

  /// Returns a number for a row of a joined table without row ids. Two rows may have the same one:
  /// then more rows than needed are looked up.
  static func number(of key: RowKey) -> Int64 { Int64(key.hashValue) }

  /// Returns the numbers of rows of a joined table, and the values of their keys; `nil` if they are
  /// identified in another way.
  func keys(of rows: RowIdentities) -> (numbers: Set<Int64>, values: [[DatabaseValue]])? {
    switch rows {
    case .rowIDs(let ids) where isRowID:
      (ids, ids.map { [DatabaseValue(storage: .int64($0))] })
    case .keys(let keys) where !isRowID:
      (Set(Fault.isOn(.patchPartnerKey) ? [] : keys.map(Self.number)), keys.map(\.values))
    default: nil
    }
  }
}
