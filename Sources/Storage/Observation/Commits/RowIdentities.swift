/// Rows of one table: by their row ids, or by their keys where the table has none.
enum RowIdentities: Hashable, Sendable {
  case rowIDs(Set<Int64>)
  case keys(Set<RowKey>)

  static let none = RowIdentities.rowIDs([])

  var count: Int {
    switch self {
    case .rowIDs(let ids): ids.count
    case .keys(let keys): keys.count
    }
  }

  /// Returns the rows of both; `nil` if they are not identified in the same way.
  func union(_ other: RowIdentities) -> RowIdentities? {
    if count == 0 { return other }
    if other.count == 0 { return self }
    switch (self, other) {
    case (.rowIDs(let ids), .rowIDs(let others)): return .rowIDs(ids.union(others))
    case (.keys(let keys), .keys(let others)): return .keys(keys.union(others))
    default: return nil
    }
  }
}
