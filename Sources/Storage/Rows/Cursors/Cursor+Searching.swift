extension Cursor {
  /// Returns whether no element is left. A remaining element is consumed.
  @inlinable
  public func isEmpty() throws -> Bool { try next() == nil }

  /// Returns the first of the remaining elements, or `nil` when none is left. The elements after it
  /// are not computed.
  @inlinable
  public func first() throws -> Element? { try next().map(independent) }

  /// Returns the first element that satisfies a condition, or `nil` when none does.
  @inlinable
  public func first(where predicate: (Element) throws -> Bool) throws -> Element? {
    while let element = try next() {
      if try predicate(element) { return independent(element) }
    }
    return nil
  }

  /// Returns whether an element satisfies a condition. The elements after it are not computed.
  @inlinable
  public func contains(where predicate: (Element) throws -> Bool) throws -> Bool {
    while let element = try next() {
      if try predicate(element) { return true }
    }
    return false
  }

  /// Returns the smallest element by an order, or `nil` when none is left. Of equal elements, the
  /// first is returned.
  @inlinable
  public func min(
    by areInIncreasingOrder: (Element, Element) throws -> Bool
  ) throws -> Element? {
    guard var result = try first() else { return nil }
    while let element = try next() {
      if try areInIncreasingOrder(element, result) { result = independent(element) }
    }
    return result
  }

  /// Returns the largest element by an order, or `nil` when none is left. Of equal elements, the
  /// first is returned.
  @inlinable
  public func max(
    by areInIncreasingOrder: (Element, Element) throws -> Bool
  ) throws -> Element? {
    guard var result = try first() else { return nil }
    while let element = try next() {
      if try areInIncreasingOrder(result, element) { result = independent(element) }
    }
    return result
  }
}

extension Cursor where Element: Equatable {
  /// Returns whether an element equals `element`. The elements after it are not computed.
  @inlinable
  public func contains(_ element: Element) throws -> Bool { try contains { $0 == element } }
}

extension Cursor where Element: Comparable {
  /// Returns the smallest element, or `nil` when none is left.
  @inlinable
  public func min() throws -> Element? { try min(by: <) }

  /// Returns the largest element, or `nil` when none is left.
  @inlinable
  public func max() throws -> Element? { try max(by: <) }
}

extension Cursor {
  /// Calls a closure with each of the remaining elements.
  @inlinable
  public func forEach(_ body: (Element) throws -> Void) throws {
    while let element = try next() { try body(element) }
  }

  /// Combines the remaining elements into one value, from left to right.
  ///
  ///     let total = try Int.fetchCursor(db, sql: "SELECT price FROM item").reduce(0, +)
  @inlinable
  public func reduce<Result>(
    _ initialResult: Result,
    _ nextPartialResult: (Result, Element) throws -> Result
  ) throws -> Result {
    var result = initialResult
    while let element = try next() { result = try nextPartialResult(result, element) }
    return result
  }

  /// Combines the remaining elements into one value that the closure changes in place.
  @inlinable
  public func reduce<Result>(
    into initialResult: Result,
    _ updateAccumulatingResult: (inout Result, Element) throws -> Void
  ) throws -> Result {
    var result = initialResult
    while let element = try next() { try updateAccumulatingResult(&result, element) }
    return result
  }
}

extension Cursor where Element: StringProtocol {
  /// Joins the remaining elements into one string, with a separator between them.
  @inlinable
  public func joined(separator: String = "") throws -> String {
    guard var result = try next().map({ String($0) }) else { return "" }
    while let element = try next() {
      result += separator
      result += element
    }
    return result
  }
}
