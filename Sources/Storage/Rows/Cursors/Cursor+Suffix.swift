extension Cursor {
  /// Returns the last elements, at most `maxLength`, in their order.
  ///
  /// The cursor is read to its end, but no more than `maxLength` elements are held in memory.
  ///
  /// - Throws: What the cursor throws, and ``DatabaseError`` with `SQLITE_MISUSE` when the length
  ///   is negative.
  @inlinable
  public func suffix(_ maxLength: Int) throws -> [Element] {
    guard maxLength >= 0 else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: "the length of a suffix must not be negative, but it is \(maxLength)"
      )
    }
    guard maxLength > 0 else {
      while try next() != nil {}
      return []
    }
    var ring: [Element] = []
    var oldest = 0
    while let element = try next() {
      if ring.count < maxLength {
        ring.append(independent(element))
      } else {
        ring[oldest] = independent(element)
        oldest = (oldest + 1) % maxLength
      }
    }
    return Array(ring[oldest...] + ring[..<oldest])
  }

  /// Returns all elements except the last `count`.
  ///
  /// The cursor is read to its end.
  ///
  /// - Throws: What the cursor throws, and ``DatabaseError`` with `SQLITE_MISUSE` when the count is
  ///   negative.
  @inlinable
  public func dropLast(_ count: Int = 1) throws -> [Element] {
    guard count >= 0 else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: "the count of dropLast must not be negative, but it is \(count)"
      )
    }
    var elements = try Array(self)
    elements.removeLast(Swift.min(count, elements.count))
    return elements
  }
}
