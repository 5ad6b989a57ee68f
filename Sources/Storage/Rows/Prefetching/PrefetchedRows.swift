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
    keys = PrefetchKeys(prefetch, buffer.db)
  }

  /// Collects the key of a row.
  func addRow(_ row: Row) throws {
    let key = prefetch.columns.map { row.databaseValue(at: $0.index) }
    positions.append(try keys.insert(key) ?? -1)
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

extension Row {
  /// The rows that `including(all:)` has added to this row, and to its scopes.
  ///
  ///     let row = try Row.fetchOne(db, Team.including(all: Team.players))
  ///     let players = row?.prefetchedRows["players"]
  public var prefetchedRows: PrefetchedRowsView { PrefetchedRowsView(row: self) }

  /// The associated rows of a row, by the names of the associations.
  public struct PrefetchedRowsView: Equatable {
    let row: Row

    private var entries: [RowPrefetch.Entry] {
      guard let prefetch = row.prefetch else { return [] }
      do {
        return try prefetch.rows.entries.filter { $0.scope.starts(with: prefetch.scope) }
      } catch {
        row.failOrStop(error)
        return []
      }
    }

    /// Returns whether both rows have equal associated rows by the same names.
    public static func == (left: PrefetchedRowsView, right: PrefetchedRowsView) -> Bool {
      guard left.row.prefetch != nil || right.row.prefetch != nil else { return true }
      return left.keys == right.keys && left.keys.allSatisfy { left[$0] == right[$0] }
    }

    /// Whether the row has no associated rows by any name.
    public var isEmpty: Bool { keys.isEmpty }

    /// The names of the associated rows, at all levels of scopes.
    public var keys: Set<String> {
      guard let prefetch = row.prefetch else { return [] }
      return Set(prefetch.rows.names.filter { $0.scope.starts(with: prefetch.scope) }.map(\.key))
    }

    /// The associated rows with this name that are nearest to the row, or `nil` when the request
    /// does not fetch any by this name.
    public subscript(_ key: String) -> [Row]? {
      entries.filter { $0.key == key }.min { $0.scope.count < $1.scope.count }?.rows
    }
  }
}

/// Decodes associated rows into a collection that this library does not know.
struct PrefetchedRowsDecoder: Decoder {
  let row: Row
  let key: String

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw unsupported
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw unsupported }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    PrefetchedRowsContainer(key: key, rows: row.prefetchedRows[key] ?? [])
  }

  private var unsupported: RowDecodingError { row.severalRows(key, Row.self) }
}

/// The rows of an association, one after the other.
private struct PrefetchedRowsContainer: UnkeyedDecodingContainer {
  let key: String
  let rows: [Row]
  var currentIndex = 0

  init(key: String, rows: [Row]) {
    self.key = key
    self.rows = rows
  }

  var codingPath: [any CodingKey] { [] }
  var count: Int? { rows.count }
  var isAtEnd: Bool { currentIndex == rows.count }

  mutating func decodeNil() -> Bool { false }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let row = try next(type)
    if let fetchable = type as? any Fetchable.Type {
      return try fetchable.fetched(from: row) as! Value
    }
    return try FetchableRecordDecoder().decode(type, from: row)
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try next(type).decoder().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next(Row.self).decoder().unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder { try next(Row.self).decoder() }

  private mutating func next(_ type: Any.Type) throws -> Row {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type,
        DecodingError.Context(codingPath: [], debugDescription: "\(key) have no more rows")
      )
    }
    defer { currentIndex += 1 }
    return rows[currentIndex]
  }
}
