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
