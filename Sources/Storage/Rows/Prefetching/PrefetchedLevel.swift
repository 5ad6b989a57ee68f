/// The associated rows of all rows of a buffer, by one association.
@usableFromInline
final class PrefetchedLevel {
  let prefetch: Prefetch
  private unowned let buffer: RowBuffer
  private var keys: PrefetchKeys
  /// For each row of the buffer, the position of its key; -1 for a key with NULL.
  private var positions: [Int] = []
  /// The elements that were decoded last, by the position of the key; an instance of
  /// `PrefetchedGroups`.
  @exclusivity(unchecked) private var groups: AnyObject?
  @exclusivity(unchecked) private var groupedType: ObjectIdentifier?

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
  @inlinable
  func elements<Element>(
    ofRow row: Int,
    as type: Element.Type,
    _ decode: (Row) throws -> Element
  ) throws -> [Element] {
    let position = position(ofRow: row)
    guard position >= 0 else { return [] }
    if let known = groups(of: ObjectIdentifier(type)) {
      return unsafeDowncast(known, to: PrefetchedGroups<Element>.self).elements[position]
    }
    let groups = try run()?.elements(decode) ?? Array(repeating: [], count: keyCount)
    keep(PrefetchedGroups(groups), of: ObjectIdentifier(type))
    return groups[position]
  }

  @usableFromInline var keyCount: Int { keys.count }

  @usableFromInline
  func position(ofRow row: Int) -> Int { positions[row] }

  @usableFromInline
  func groups(of type: ObjectIdentifier) -> AnyObject? { groupedType == type ? groups : nil }

  @usableFromInline
  func keep(_ groups: AnyObject, of type: ObjectIdentifier) {
    self.groups = groups
    groupedType = type
  }

  @usableFromInline
  func run() throws -> PrefetchRun? { try PrefetchRun(prefetch, keys, buffer.db) }
}

/// Elements by the position of a key.
@usableFromInline
final class PrefetchedGroups<Element> {
  @usableFromInline let elements: [[Element]]

  @usableFromInline
  init(_ elements: [[Element]]) {
    self.elements = elements
  }
}
