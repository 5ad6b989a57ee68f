internal import FoundationEssentials
package import Storage

/// Numbers and texts in the binary form of a recorded transaction.
extension [UInt8] {
  /// Appends a number in groups of seven bits, the least significant first.
  @inline(__always)
  mutating func append(unsigned number: UInt64) {
    var rest = number
    while rest > 0x7F {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func append(count: Int) { append(unsigned: UInt64(count)) }

  /// Appends a number so that small negative ones are short too.
  @inline(__always)
  mutating func append(signed number: Int64) {
    append(unsigned: UInt64(bitPattern: (number << 1) ^ (number >> 63)))
  }

  mutating func append(_ code: RecordedItemCode) { append(code.rawValue) }

  mutating func append(text: String) {
    append(count: text.utf8.count)
    append(contentsOf: text.utf8)
  }

  mutating func append(_ value: RecordedValue) {
    switch value {
    case .null:
      append(RecordedValueCode.null.rawValue)
    case .integer(let number):
      append(RecordedValueCode.integer.rawValue)
      append(signed: number)
    case .real(let number):
      append(real: number)
    case .text(let bytes):
      append(RecordedValueCode.text.rawValue)
      append(count: bytes.count)
      append(contentsOf: bytes)
    case .blob(let bytes):
      append(RecordedValueCode.blob.rawValue)
      append(count: bytes.count)
      append(contentsOf: bytes)
    }
  }

  mutating func append(real number: Double) {
    append(RecordedValueCode.real.rawValue)
    Swift.withUnsafeBytes(of: number.bitPattern.littleEndian) { append(contentsOf: $0) }
  }
}

/// Reads the binary form of a recorded transaction. The bytes may be hostile: it throws, and never
/// traps.
struct RecordedBytes {
  private let bytes: [UInt8]
  private(set) var position: Int

  init(_ bytes: [UInt8], from position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  var isAtEnd: Bool { position >= bytes.count }
  private var remaining: Int { bytes.count - position }

  mutating func byte() throws(RecordingError) -> UInt8 {
    guard position < bytes.count else { throw .damaged("it is cut off") }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func unsigned() throws(RecordingError) -> UInt64 {
    var number: UInt64 = 0
    for shift in stride(from: 0, to: 64, by: 7) {
      let byte = try byte()
      guard shift < 63 || byte <= 1 else { break }
      number |= UInt64(byte & 0x7F) << UInt64(shift)
      if byte & 0x80 == 0 { return number }
    }
    throw .damaged("a number has too many digits")
  }

  mutating func signed() throws(RecordingError) -> Int64 {
    let number = try unsigned()
    return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }

  /// Reads how many elements follow, each of which has at least `size` bytes.
  mutating func count(ofSize size: Int = 1) throws(RecordingError) -> Int {
    guard let count = Int(exactly: try unsigned()), count <= remaining / size else {
      throw .damaged("it is cut off")
    }
    return count
  }

  mutating func slice() throws(RecordingError) -> ArraySlice<UInt8> {
    let count = try count()
    defer { position += count }
    return bytes[position..<(position + count)]
  }

  mutating func text() throws(RecordingError) -> String {
    guard let text = String(validating: try slice(), as: UTF8.self) else {
      throw .damaged("a text is not UTF-8")
    }
    return text
  }

  mutating func value() throws(RecordingError) -> RecordedValue {
    switch RecordedValueCode(rawValue: try byte()) {
    case .null: return .null
    case .integer: return .integer(try signed())
    case .real:
      var pattern: UInt64 = 0
      for shift in stride(from: UInt64(0), to: 64, by: 8) {
        pattern |= UInt64(try byte()) << shift
      }
      return .real(Double(bitPattern: pattern))
    case .text: return .text(try slice())
    case .blob: return .blob(try slice())
    case nil: throw .damaged("a value has an unknown kind")
    }
  }

  mutating func values(_ count: Int) throws(RecordingError) -> [RecordedValue] {
    guard count <= remaining else { throw .damaged("it is cut off") }
    var values: [RecordedValue] = []
    values.reserveCapacity(count)
    for _ in 0..<count { values.append(try value()) }
    return values
  }
}

/// A value of a recorded row, exactly as SQLite stores it: a text may be invalid UTF-8.
package enum RecordedValue: Hashable, Sendable {
  /// NULL.
  case null
  /// An INTEGER.
  case integer(Int64)
  /// A REAL.
  case real(Double)
  /// A TEXT.
  case text(ArraySlice<UInt8>)
  /// A BLOB.
  case blob(ArraySlice<UInt8>)
}

extension RecordedValue: DatabaseValueConvertible {
  package static var databaseColumnType: Database.ColumnType? { nil }

  package var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let value): value.databaseValue
    case .real(let value): value.databaseValue
    case .text(let bytes): String(decoding: bytes, as: UTF8.self).databaseValue
    case .blob(let bytes): Data(bytes).databaseValue
    }
  }

  package static func fromDatabaseValue(_ value: DatabaseValue) -> RecordedValue? {
    switch value.storage {
    case .null: .null
    case .int64(let value): .integer(value)
    case .double(let value): .real(value)
    case .string(let text): .text(ArraySlice(text.utf8))
    case .blob(let data): .blob(ArraySlice(data))
    }
  }

  package func bind(to parameter: StatementParameter) -> Int32 {
    switch self {
    case .null: parameter.bindNull()
    case .integer(let value): parameter.bind(value)
    case .real(let value): parameter.bind(value)
    case .text(let bytes): bytes.withUnsafeBufferPointer { parameter.bind(utf8: $0) }
    case .blob(let bytes): bytes.withUnsafeBytes { parameter.bind(blob: $0) }
    }
  }
}

extension RecordedValue {
  /// The value as an SQL expression that SQLite reads as the same value.
  package var sqlLiteral: String {
    guard case .text(let bytes) = self else { return databaseValue.sqlLiteral }
    return bytes.withUnsafeBufferPointer(SQLLiteral.text)
  }
}
