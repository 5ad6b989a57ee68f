extension Row {
  /// The rows that `including(all:)` has added to this row, and to its scopes.
  ///
  ///     let row = try Row.fetchOne(db, Team.including(all: Team.players))
  ///     let players = row?.prefetchedRows["players"]
  public var prefetchedRows: PrefetchedRowsView { PrefetchedRowsView(row: self) }

  /// The associated rows of a row, by the names of the associations.
  public struct PrefetchedRowsView: Equatable {
    let row: Row

    private var entries: [RowPrefetch.Entry] {
      guard let prefetch = row.prefetch else { return [] }
      do {
        return try prefetch.rows.entries.filter { $0.scope.starts(with: prefetch.scope) }
      } catch {
        row.failOrStop(error)
        return []
      }
    }

    /// Returns whether both rows have equal associated rows by the same names.
    public static func == (left: PrefetchedRowsView, right: PrefetchedRowsView) -> Bool {
      guard left.row.prefetch != nil || right.row.prefetch != nil else { return true }
      return left.keys == right.keys && left.keys.allSatisfy { left[$0] == right[$0] }
    }

    /// Whether the row has no associated rows by any name.
    public var isEmpty: Bool { keys.isEmpty }

    /// The names of the associated rows, at all levels of scopes.
    public var keys: Set<String> {
      guard let prefetch = row.prefetch else { return [] }
      return Set(prefetch.rows.names.filter { $0.scope.starts(with: prefetch.scope) }.map(\.key))
    }

    /// The associated rows with this name that are nearest to the row, or `nil` when the request
    /// does not fetch any by this name.
    public subscript(_ key: String) -> [Row]? {
      entries.filter { $0.key == key }.min { $0.scope.count < $1.scope.count }?.rows
    }
  }
}
