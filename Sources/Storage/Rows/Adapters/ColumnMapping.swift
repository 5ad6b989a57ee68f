/// A row adapter that renames some columns and hides all others.
///
///     // SELECT 1 AS a, 2 AS b, 3 AS c → [id:1 total:3]
///     ColumnMapping(["id": "a", "total": "c"])
public struct ColumnMapping: RowAdapter, Hashable {
  private let mapping: [String: String]

  /// Creates a mapping from column names of the adapted row to column names of the query.
  public init(_ mapping: [String: String]) {
    self.mapping = mapping
  }

  /// Lays out the mapped columns in the order in which the query returns them.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when the query lacks a mapped column.
  public func layout(adapting base: AdaptedRowLayout) throws -> AdaptedRowLayout {
    let columns = try mapping.map { name, baseName in
      guard let column = base.column(named: baseName) else {
        throw base.mismatch("a column mapping requires the column \(baseName)")
      }
      return AdaptedRowLayout.Column(baseIndex: column.baseIndex, name: name)
    }
    return AdaptedRowLayout(
      columns: columns.sorted { ($0.baseIndex, $0.name) < ($1.baseIndex, $1.name) }
    )
  }
}
