/// Shows columns under other names, and hides the others.
///
///     // SELECT 1 AS a, 2 AS b, 3 AS c → [id:1 total:3]
///     ColumnMapping(["id": "a", "total": "c"])
public struct ColumnMapping: RowAdapter {
  private let mapping: [String: String]

  /// Makes a mapping from the names of the adapted row to those of the query.
  public init(_ mapping: [String: String]) {
    self.mapping = mapping
  }

  /// Lays out the columns of the mapping, in the order of the query's.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when the query has no such column.
  public func layout(adapting base: AdaptedRowLayout) throws -> AdaptedRowLayout {
    let columns = try mapping.map { name, baseName in
      guard let column = base.column(named: baseName) else {
        throw base.misfit("a mapping wants the column \(baseName)")
      }
      return AdaptedRowLayout.Column(baseIndex: column.baseIndex, name: name)
    }
    return AdaptedRowLayout(
      columns: columns.sorted { ($0.baseIndex, $0.name) < ($1.baseIndex, $1.name) }
    )
  }
}

/// Shows all columns under other names.
///
///     RenameColumnAdapter { "wine_" + $0 }
public struct RenameColumnAdapter: RowAdapter {
  private let rename: @Sendable (String) -> String

  /// Makes the adapter of a closure that is given the names of the query.
  public init(_ rename: @escaping @Sendable (String) -> String) {
    self.rename = rename
  }

  /// Lays out all columns, under their new names.
  public func layout(adapting base: AdaptedRowLayout) -> AdaptedRowLayout {
    AdaptedRowLayout(
      columns: base.columns.map {
        AdaptedRowLayout.Column(baseIndex: $0.baseIndex, name: rename($0.name))
      }
    )
  }
}
