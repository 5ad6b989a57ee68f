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
