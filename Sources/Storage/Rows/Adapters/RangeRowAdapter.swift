/// Shows some neighbouring columns only.
///
///     // name and price of id, name, price, shop
///     RangeRowAdapter(1..<3)
public struct RangeRowAdapter: RowAdapter {
  private let range: Range<Int>

  /// Shows the columns of a range of indexes, counted from 0.
  public init(_ range: Range<Int>) {
    self.range = range
  }

  /// Shows the columns of a range of indexes, counted from 0.
  public init(_ range: ClosedRange<Int>) {
    self.init(Range(range))
  }

  /// Lays out the columns of the range.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when there are fewer columns.
  public func layout(adapting base: AdaptedRowLayout) throws -> AdaptedRowLayout {
    guard range.lowerBound >= 0, range.upperBound <= base.columns.count else {
      throw base.misfit("an adapter wants the columns \(range)")
    }
    return AdaptedRowLayout(columns: Array(base.columns[range]))
  }
}

/// Shows the columns from one on.
///
///     // price and shop of id, name, price, shop
///     SuffixRowAdapter(fromIndex: 2)
public struct SuffixRowAdapter: RowAdapter {
  private let index: Int

  /// Hides the columns before an index, counted from 0.
  ///
  /// - Precondition: The index is not negative.
  public init(fromIndex index: Int) {
    precondition(index >= 0, "A column index is not negative, as \(index) is.")
    self.index = index
  }

  /// Lays out the columns from the index on.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when there are fewer columns.
  public func layout(adapting base: AdaptedRowLayout) throws -> AdaptedRowLayout {
    guard index <= base.columns.count else {
      throw base.misfit("an adapter wants the columns from \(index) on")
    }
    return AdaptedRowLayout(columns: Array(base.columns[index...]))
  }
}

/// Hides all columns. It serves as the base of scopes.
public struct EmptyRowAdapter: RowAdapter {
  /// Makes the adapter.
  public init() {}

  /// Lays out no columns.
  public func layout(adapting base: AdaptedRowLayout) -> AdaptedRowLayout {
    AdaptedRowLayout(columns: [])
  }
}

/// Makes the adapters of rows that are several rows side by side.
///
///     // 0..<2, 2..<5, and the rest
///     let adapters = splittingRowAdapters(columnCounts: [2, 3])
///
/// - Parameter columnCounts: How many columns each part has, but the last one.
/// - Returns: One adapter more than there are counts: the last one shows what is left.
public func splittingRowAdapters(columnCounts: [Int]) -> [any RowAdapter] {
  var start = 0
  var adapters: [any RowAdapter] = columnCounts.map { count in
    defer { start += count }
    return RangeRowAdapter(start..<start + count)
  }
  adapters.append(SuffixRowAdapter(fromIndex: start))
  return adapters
}
