/// Returns adapters that split a row into consecutive parts.
///
///     // 0..<2, 2..<5, and the rest
///     let adapters = splittingRowAdapters(columnCounts: [2, 3])
///
/// - Parameter columnCounts: The number of columns of each part except the last.
/// - Returns: One adapter for each count, and one for the remaining columns.
public func splittingRowAdapters(columnCounts: [Int]) -> [any RowAdapter] {
  var start = 0
  var adapters: [any RowAdapter] = columnCounts.map { count in
    defer { start += count }
    return RangeRowAdapter(start..<start + count)
  }
  adapters.append(SuffixRowAdapter(fromIndex: start))
  return adapters
}
