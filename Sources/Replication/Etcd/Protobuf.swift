/// Writes the fields of a message of protocol buffers, the format of gRPC.
///
/// https://protobuf.dev/programming-guides/encoding/
struct ProtobufWriter {
  private(set) var bytes: [UInt8] = []

  /// Writes a number.
  mutating func append(_ number: UInt64, as field: UInt64) {
    append(varint: field << 3)
    append(varint: number)
  }

  /// Writes bytes, a text or a message.
  mutating func append(_ content: some Collection<UInt8>, as field: UInt64) {
    append(varint: field << 3 | 2)
    append(varint: UInt64(content.count))
    bytes.append(contentsOf: content)
  }

  private mutating func append(varint number: UInt64) {
    var rest = number
    while rest >= 128 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}

/// Reads the fields of a message from bytes that may be hostile: it throws, and never traps.
struct ProtobufReader {
  enum Value: Equatable {
    case number(UInt64)
    /// Bytes, a text or a message.
    case bytes(ArraySlice<UInt8>)
  }

  struct Field: Equatable {
    var number: UInt64
    var value: Value
  }

  /// The bytes are not a message.
  struct Malformed: Error {}

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// Reads the next field.
  ///
  /// - Returns: `nil` at the end of the message.
  mutating func next() throws(Malformed) -> Field? {
    guard !rest.isEmpty else { return nil }
    let key = try varint()
    switch key & 7 {
    case 0: return Field(number: key >> 3, value: .number(try varint()))
    case 1: return Field(number: key >> 3, value: .bytes(try take(8)))
    case 2: return Field(number: key >> 3, value: .bytes(try take(try varint())))
    case 5: return Field(number: key >> 3, value: .bytes(try take(4)))
    default: throw Malformed()
    }
  }

  private mutating func varint() throws(Malformed) -> UInt64 {
    var number: UInt64 = 0
    for shift in stride(from: 0 as UInt64, to: 64, by: 7) {
      guard let byte = rest.popFirst() else { throw Malformed() }
      number |= UInt64(byte & 127) << shift
      if byte < 128 { return number }
    }
    throw Malformed()
  }

  private mutating func take(_ count: UInt64) throws(Malformed) -> ArraySlice<UInt8> {
    guard count <= UInt64(rest.count) else { throw Malformed() }
    defer { rest.removeFirst(Int(count)) }
    return rest.prefix(Int(count))
  }
}
