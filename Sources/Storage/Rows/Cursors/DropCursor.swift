extension Cursor {
  /// Leaves out the first elements: one, unless told otherwise.
  ///
  /// - Precondition: The count is not negative.
  @inlinable
  public func dropFirst(_ count: Int = 1) -> DropFirstCursor<Self> {
    DropFirstCursor(self, count)
  }

  /// Leaves out the elements before the first one that does not fulfil a condition.
  @inlinable
  public func drop(
    while predicate: @escaping (Element) throws -> Bool
  ) -> DropWhileCursor<Self> {
    DropWhileCursor(self, predicate)
  }

  /// Returns all elements but the last ones: one, unless told otherwise.
  ///
  /// This reads the cursor to its end.
  ///
  /// - Precondition: The count is not negative.
  @inlinable
  public func dropLast(_ count: Int = 1) throws -> [Element] {
    precondition(count >= 0, "dropLast takes a count that is not negative, not \(count).")
    var elements = try Array(self)
    elements.removeLast(Swift.min(count, elements.count))
    return elements
  }
}

/// Yields the elements of another cursor without the first ones.
public final class DropFirstCursor<Base: Cursor>: Cursor {
  @usableFromInline let base: Base
  @usableFromInline var remaining: Int

  @inlinable
  init(_ base: Base, _ count: Int) {
    precondition(count >= 0, "dropFirst takes a count that is not negative, not \(count).")
    self.base = base
    remaining = count
  }

  /// Returns the next element, or `nil` at the end.
  @inlinable
  public func next() throws -> Base.Element? {
    while remaining > 0 {
      guard try base.next() != nil else {
        remaining = 0
        return nil
      }
      remaining -= 1
    }
    return try base.next()
  }
}

/// Yields the elements of another cursor from the first one on that does not fulfil a condition.
public final class DropWhileCursor<Base: Cursor>: Cursor {
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
    guard let predicate else { return try base.next() }
    while let element = try base.next() {
      guard try !predicate(element) else { continue }
      self.predicate = nil
      return element
    }
    return nil
  }
}
