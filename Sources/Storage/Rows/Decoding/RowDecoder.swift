/// The decoder of a whole row.
struct RowDecoder: Decoder {
  let row: CheckedReference<RowDecoding>
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { row.withObject { $0.rules.userInfo } }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    row.withObject { $0.container(keyedBy: type) }
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw unsupported("a row has named columns and is not an unkeyed container")
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    throw unsupported("a row has columns and is not a single value")
  }

  private func unsupported(_ reason: String) -> RowDecodingError {
    row.withObject { $0.unsupported(Row.self, reason) }
  }
}
