extension Cursor {
  /// Yields the first elements, at most `maxLength`. The elements after them are not computed.
  ///
  /// - Precondition: The length is not negative.
  @inlinable
  public func prefix(_ maxLength: Int) -> PrefixCursor<Self> {
    PrefixCursor(self, maxLength)
  }
}

/// A cursor that yields the first elements of another cursor.
public final class PrefixCursor<Base: Cursor>: Cursor {
  @usableFromInline let base: Base
  @usableFromInline var remaining: Int

  @inlinable
  init(_ base: Base, _ maxLength: Int) {
    precondition(
      maxLength >= 0,
      "The length of a prefix must not be negative, but it is \(maxLength)."
    )
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

extension Cursor {
  /// Yields elements while they satisfy a condition.
  @inlinable
  public func prefix(
    while predicate: @escaping (Element) throws -> Bool
  ) -> PrefixWhileCursor<Self> {
    PrefixWhileCursor(self, predicate)
  }
}

/// A cursor that yields the elements of another cursor while they satisfy a condition.
public final class PrefixWhileCursor<Base: Cursor>: Cursor {
  @usableFromInline let base: Base
  /// `nil` after the first element that did not satisfy it.
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

extension Cursor {
  /// Skips the first `count` elements.
  ///
  /// - Precondition: The count is not negative.
  @inlinable
  public func dropFirst(_ count: Int = 1) -> DropFirstCursor<Self> {
    DropFirstCursor(self, count)
  }
}

/// A cursor that skips the first elements of another cursor.
public final class DropFirstCursor<Base: Cursor>: Cursor {
  @usableFromInline let base: Base
  @usableFromInline var remaining: Int

  @inlinable
  init(_ base: Base, _ count: Int) {
    precondition(count >= 0, "The count of dropFirst must not be negative, but it is \(count).")
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

extension Cursor {
  /// Skips elements while they satisfy a condition.
  @inlinable
  public func drop(
    while predicate: @escaping (Element) throws -> Bool
  ) -> DropWhileCursor<Self> {
    DropWhileCursor(self, predicate)
  }
}

/// A cursor that skips the elements of another cursor while they satisfy a condition.
public final class DropWhileCursor<Base: Cursor>: Cursor {
  @usableFromInline let base: Base
  /// `nil` after the first element that did not satisfy it.
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

extension Cursor {
  /// Returns the last elements, at most `maxLength`, in their order.
  ///
  /// The cursor is read to its end, but no more than `maxLength` elements are held in memory.
  ///
  /// - Throws: The errors of the cursor, and ``DatabaseError`` with `SQLITE_MISUSE` when the length
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
  /// - Throws: The errors of the cursor, and ``DatabaseError`` with `SQLITE_MISUSE` when the count
  ///   is negative.
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
