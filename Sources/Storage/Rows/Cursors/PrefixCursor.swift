extension Cursor {
  /// Yields the first elements, at most `maxLength`. Those that follow are not computed.
  ///
  /// - Precondition: The length is not negative.
  @inlinable
  public func prefix(_ maxLength: Int) -> PrefixCursor<Self> {
    PrefixCursor(self, maxLength)
  }

  /// Yields the elements before the first one that does not fulfil a condition.
  @inlinable
  public func prefix(
    while predicate: @escaping (Element) throws -> Bool
  ) -> PrefixWhileCursor<Self> {
    PrefixWhileCursor(self, predicate)
  }

  /// Returns the last elements, at most `maxLength`, in their order.
  ///
  /// This reads the cursor to its end, and keeps no more than `maxLength` elements meanwhile.
  ///
  /// - Precondition: The length is not negative.
  @inlinable
  public func suffix(_ maxLength: Int) throws -> [Element] {
    precondition(maxLength >= 0, "suffix takes a length that is not negative, not \(maxLength).")
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
}

/// Yields the first elements of another cursor.
public final class PrefixCursor<Base: Cursor>: Cursor {
  @usableFromInline let base: Base
  @usableFromInline var remaining: Int

  @inlinable
  init(_ base: Base, _ maxLength: Int) {
    precondition(maxLength >= 0, "prefix takes a length that is not negative, not \(maxLength).")
    self.base = base
    remaining = maxLength
  }

  /// Returns the next element, or `nil` at the end.
  @inlinable
  public func next() throws -> Base.Element? {
    guard remaining > 0 else { return nil }
    let element = try base.next()
    remaining = element == nil ? 0 : remaining - 1
    return element
  }
}

/// Yields the elements of another cursor before the first one that does not fulfil a condition.
public final class PrefixWhileCursor<Base: Cursor>: Cursor {
  @usableFromInline let base: Base
  /// `nil` once an element did not fulfil it.
  @usableFromInline var predicate: ((Base.Element) throws -> Bool)?

  @inlinable
  init(_ base: Base, _ predicate: @escaping (Base.Element) throws -> Bool) {
    self.base = base
    self.predicate = predicate
  }

  /// Returns the next element, or `nil` at the end.
  @inlinable
  public func next() throws -> Base.Element? {
    guard let predicate, let element = try base.next() else { return nil }
    if try predicate(element) { return element }
    self.predicate = nil
    return nil
  }
}
