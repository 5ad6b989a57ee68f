/// The changed rows of a table that have a value in a column, before or after a change.
///
/// Most values have one row, which takes no memory of its own.
enum RowsOfValue: Equatable, Sendable {
  case one(Int64)
  case several(Set<Int64>)
  /// Rows that have no row ids.
  case unknown

  mutating func insert(_ rowID: Int64) {
    switch self {
    case .one(let other): if other != rowID { self = .several([other, rowID]) }
    case .several(var ids):
      // The set must have one owner, or it is copied.
      self = .unknown
      ids.insert(rowID)
      self = .several(ids)
    case .unknown: break
    }
  }

  func union(_ other: RowsOfValue) -> RowsOfValue {
    guard let ids, let others = other.ids else { return .unknown }
    let union = ids.union(others)
    return union.count == 1 ? self : .several(union)
  }

  /// The row ids; `nil` if they are not known.
  var ids: Set<Int64>? {
    switch self {
    case .one(let id): [id]
    case .several(let ids): ids
    case .unknown: nil
    }
  }
}
