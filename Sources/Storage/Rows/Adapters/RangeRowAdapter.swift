/// A row adapter that shows a range of columns and hides all others.
///
///     // name and price of id, name, price, shop
///     RangeRowAdapter(1..<3)
public struct RangeRowAdapter: RowAdapter, Hashable {
  private let range: Range<Int>

  /// Creates an adapter that shows the columns of a range of indexes, counted from 0.
  public init(_ range: Range<Int>) {
    self.range = range
  }

  /// Creates an adapter that shows the columns of a range of indexes, counted from 0.
  public init(_ range: ClosedRange<Int>) {
    self.init(Range(range))
  }

  /// Lays out the columns of the range.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when the query has too few columns.
  public func layout(adapting base: AdaptedRowLayout) throws -> AdaptedRowLayout {
    guard range.lowerBound >= 0, range.upperBound <= base.columns.count else {
      throw base.mismatch("a row adapter requires the columns \(range)")
    }
    return AdaptedRowLayout(columns: Array(base.columns[range]))
  }
}
