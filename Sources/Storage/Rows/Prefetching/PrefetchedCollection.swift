/// A collection that is decoded from associated rows.
protocol PrefetchedCollection {
  /// Decodes the associated rows of a row, or returns `nil` when it has none by this name.
  static func decoded(prefetchedRows key: String, of row: Row) throws -> Self?
}

extension Array: PrefetchedCollection where Element: Decodable {
  static func decoded(prefetchedRows key: String, of row: Row) throws -> [Element]? {
    try row.prefetchedElements(key)
  }
}

extension Set: PrefetchedCollection where Element: Decodable {
  static func decoded(prefetchedRows key: String, of row: Row) throws -> Set<Element>? {
    try (row.prefetchedElements(key) as [Element]?).map { Set($0) }
  }
}

extension ContiguousArray: PrefetchedCollection where Element: Decodable {
  static func decoded(prefetchedRows key: String, of row: Row) throws -> ContiguousArray<Element>? {
    try (row.prefetchedElements(key) as [Element]?).map { ContiguousArray($0) }
  }
}

extension Row {
  /// Returns the associated rows by a name, decoded; `nil` when the request fetches none.
  func prefetchedElements<Element: Decodable>(_ key: String) throws -> [Element]? {
    guard let source = prefetchSource(key) else { return nil }
    guard let type = Element.self as? any Fetchable.Type else {
      return try source.elements(as: Element.self) {
        try FetchableRecordDecoder().decode(Element.self, from: $0)
      }
    }
    func elements<Fetched: Fetchable>(_ type: Fetched.Type) throws -> [Element] {
      let elements = try source.elements(as: type) { try type.fetched(from: $0) }
      // The types are the same, but only at run time.
      return unsafeBitCast(elements, to: [Element].self)
    }
    return try elements(type)
  }

  /// Returns the associated rows by a name, as records; `nil` when the request fetches none.
  @inlinable
  func prefetchedRecords<Record: Fetchable>(_ key: String) throws -> [Record]? {
    try prefetchSource(key)?.elements(as: Record.self) { try Record.fetched(from: $0) }
  }
}
