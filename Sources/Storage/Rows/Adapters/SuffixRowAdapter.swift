/// A row adapter that shows all columns from an index on.
///
///     // price and shop of id, name, price, shop
///     SuffixRowAdapter(fromIndex: 2)
public struct SuffixRowAdapter: RowAdapter, Hashable {
  private let index: Int

  /// Creates an adapter that hides the columns before an index, counted from 0.
  ///
  /// - Precondition: The index is not negative.
  public init(fromIndex index: Int) {
    precondition(index >= 0, "A column index must not be negative, but it is \(index).")
    self.index = index
  }

  /// Lays out the columns from the index on.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when the query has too few columns.
  public func layout(adapting base: AdaptedRowLayout) throws -> AdaptedRowLayout {
    guard index <= base.columns.count else {
      throw base.mismatch("a row adapter requires the columns from \(index) on")
    }
    return AdaptedRowLayout(columns: Array(base.columns[index...]))
  }
}
