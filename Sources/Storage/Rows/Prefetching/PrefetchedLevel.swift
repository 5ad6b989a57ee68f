/// The associated rows of all rows of a buffer, by one association.
final class PrefetchedLevel {
  let prefetch: Prefetch
  private unowned let buffer: RowBuffer
  private var keys: PrefetchKeys
  /// For each row of the buffer, the position of its key; -1 for a key with NULL.
  private var positions: [Int] = []
  /// The elements that were decoded last, by the position of the key.
  private var groups: AnyObject?

  init(_ prefetch: Prefetch, _ buffer: RowBuffer) {
    self.prefetch = prefetch
    self.buffer = buffer
    keys = PrefetchKeys(collations: prefetch.columns.map(\.collation))
  }

  /// Collects the key of a row.
  func addRow(_ row: Row) {
    let key = prefetch.columns.map { row.databaseValue(at: $0.index) }
    positions.append(keys.insert(key) ?? -1)
  }

  /// Returns the associated elements of a row. The first call for a type fetches them for all rows.
  func elements<Element>(
    ofRow row: Int,
    as type: Element.Type,
    _ decode: (Row) throws -> Element
  ) throws -> [Element] {
    let position = positions[row]
    guard position >= 0 else { return [] }
    if let known = groups as? Groups<Element> { return known.elements[position] }
    let fetched = Groups(try prefetch.fetch(keys, buffer.db, decode))
    groups = fetched
    return fetched.elements[position]
  }
}

/// Elements by the position of a key.
private final class Groups<Element> {
  let elements: [[Element]]

  init(_ elements: [[Element]]) {
    self.elements = elements
  }
}
