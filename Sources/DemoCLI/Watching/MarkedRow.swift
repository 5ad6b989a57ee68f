internal import Storage

/// The change of a row since the previous value.
enum RowMark: Equatable {
  case unchanged
  /// The row is new.
  case added
  /// The values in these columns have changed.
  case changed(Set<Int>)
  /// The row was removed.
  case removed
}

/// A row of a result, or a row that was removed from it, with its mark.
struct MarkedRow: Equatable {
  let values: [DatabaseValue]
  let mark: RowMark
  /// The row id, where rows are found by it.
  var rowID: Int64?
}
