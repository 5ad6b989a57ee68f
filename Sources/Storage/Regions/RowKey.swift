internal import CWellspringSQLite
internal import FoundationEssentials
internal import WellspringSystem

/// The primary key of a row of a table `WITHOUT ROWID`.
///
/// It is encoded so that two keys have the same bytes if, and only if, SQLite treats them as the
/// same key.
///
/// Each value is a tag and its content. A real that equals an integer is encoded as that integer.
/// Text is encoded as its collation compares it.
struct RowKey: Hashable, Sendable {
  let bytes: [UInt8]

  fileprivate enum Tag: UInt8 {
    case integer = 1
    case real
    case text
    case blob
  }

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// The values of the columns, each equal to the row's own under the collation of the key.
  var values: [DatabaseValue] {
    var values: [DatabaseValue] = []
    bytes.withUnsafeBytes { bytes in
      var offset = 0
      while offset < bytes.count {
        let tag = Tag(rawValue: bytes[offset])
        let number = bytes.loadUnaligned(fromByteOffset: offset + 1, as: UInt64.self)
        offset += 9
        switch tag {
        case .integer: values.append(DatabaseValue(storage: .int64(Int64(bitPattern: number))))
        case .real: values.append(DatabaseValue(storage: .double(Double(bitPattern: number))))
        default:
          let content = bytes[offset..<offset + Int(number)]
          offset += Int(number)
          let isText = tag == .text
          values.append(
            DatabaseValue(
              storage: isText
                ? .string(String(decoding: content, as: UTF8.self)) : .blob(.init(content))
            )
          )
        }
      }
    }
    return values
  }
}

extension RowKey {
  /// Whether SQLite sorts a value before another one. Each has the encoding of a key's column; NULL
  /// has no bytes.
  static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard let leftTag = left.first else { return !right.isEmpty }
    guard let rightTag = right.first else { return false }
    switch (Tag(rawValue: leftTag), Tag(rawValue: rightTag)) {
    case (.integer, .integer): return integer(left) < integer(right)
    case (.real, .real): return real(left) < real(right)
    // A real number that equals an integer is encoded as one.
    case (.integer, .real): return isLess(integer(left), real(right))
    case (.real, .integer): return !isLess(integer(right), real(left))
    case (.text, .text), (.blob, .blob):
      return left.dropFirst(9).lexicographicallyPrecedes(right.dropFirst(9))
    default: return leftTag < rightTag
    }
  }

  /// Whether a value in the encoding of a key's column is a text.
  static func isText(_ bytes: [UInt8]) -> Bool { bytes.first == Tag.text.rawValue }

  private static func number(_ bytes: [UInt8]) -> UInt64 {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 1, as: UInt64.self) }
  }

  private static func integer(_ bytes: [UInt8]) -> Int64 { Int64(bitPattern: number(bytes)) }

  private static func real(_ bytes: [UInt8]) -> Double { Double(bitPattern: number(bytes)) }

  /// Whether an integer is less than a real number that equals none, without rounding it.
  private static func isLess(_ integer: Int64, _ real: Double) -> Bool {
    // Beyond these bounds, SQLite has no integers.
    if real >= 0x1p63 { return true }
    if real < -0x1p63 { return false }
    return integer < Int64(real.rounded(.up))
  }
}

extension [UInt8] {
  /// Appends a column of a key, in the encoding of ``RowKey``, from a value of the preupdate hook.
  ///
  /// - Returns: Whether the value can be part of a key.
  mutating func appendKey(_ value: OpaquePointer, _ collation: RowKeyCollation) -> Bool {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: append(.integer, UInt64(bitPattern: sqlite3_value_int64(value)))
    case SQLITE_FLOAT: append(sqlite3_value_double(value))
    case SQLITE_TEXT:
      let text = sqlite3_value_text(value)
      return append(text, collation, sqlite3_value_bytes(value))
    case SQLITE_BLOB:
      // Without memory, the value is NULL afterwards, and has no bytes any more.
      let count = sqlite3_value_bytes(value)
      return append(sqlite3_value_blob(value), count)
    default: return false
    }
    return true
  }

  /// Appends a column of a key from a column of a running statement.
  ///
  /// - Returns: Whether the value can be part of a key.
  mutating func appendKey(
    _ statement: OpaquePointer,
    column: Int32,
    _ collation: RowKeyCollation
  ) -> Bool {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER:
      append(.integer, UInt64(bitPattern: sqlite3_column_int64(statement, column)))
    case SQLITE_FLOAT: append(sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
      let text = sqlite3_column_text(statement, column)
      return append(text, collation, sqlite3_column_bytes(statement, column))
    case SQLITE_BLOB:
      let count = sqlite3_column_bytes(statement, column)
      return append(sqlite3_column_blob(statement, column), count)
    default: return false
    }
    return true
  }

  /// Appends an INTEGER.
  mutating func appendKey(_ number: Int64) { append(.integer, UInt64(bitPattern: number)) }

  /// Appends a REAL.
  mutating func appendKey(_ number: Double) { append(number) }

  /// Appends a TEXT.
  mutating func appendKey(_ text: String, _ collation: RowKeyCollation) {
    var text = text
    text.withUTF8 { append(.text, collation, $0.baseAddress, Int32(clamping: $0.count)) }
  }

  /// Appends a TEXT that is stored in a database of UTF-8.
  ///
  /// - Returns: Whether it is UTF-8.
  mutating func appendKey(text: ArraySlice<UInt8>, _ collation: RowKeyCollation) -> Bool {
    // An empty slice may have no address, which would mean that SQLite had no memory for the text.
    guard !text.isEmpty else {
      appendKey("", collation)
      return true
    }
    return text.withUnsafeBufferPointer {
      append($0.baseAddress, collation, Int32(clamping: $0.count))
    }
  }

  /// Appends a BLOB.
  mutating func appendKey(_ blob: some ContiguousBytes) {
    blob.withUnsafeBytes { append(.blob, .binary, $0.baseAddress, Int32(clamping: $0.count)) }
  }

  private mutating func append(_ tag: RowKey.Tag, _ number: UInt64) {
    append(tag.rawValue)
    Swift.withUnsafeBytes(of: number) { append(contentsOf: $0) }
  }

  private mutating func append(_ number: Double) {
    if let integer = Int64(exactly: number) {
      append(.integer, UInt64(bitPattern: integer))
    } else {
      append(.real, number.bitPattern)
    }
  }

  /// Appends a blob, unless SQLite had no memory for its bytes.
  private mutating func append(_ blob: UnsafeRawPointer?, _ count: Int32) -> Bool {
    guard blob != nil || count == 0 else { return false }
    append(.blob, .binary, blob, count)
    return true
  }

  /// Appends a text, unless it is not UTF-8, because it could not be bound to find the row, or
  /// unless SQLite had no memory for it.
  private mutating func append(
    _ text: UnsafePointer<UInt8>?,
    _ collation: RowKeyCollation,
    _ count: Int32
  ) -> Bool {
    guard let text else { return false }
    let bytes = UnsafeBufferPointer(start: text, count: Int(count))
    guard UTF8Text.isValid(bytes) else { return false }
    append(.text, collation, text, count)
    return true
  }

  private mutating func append(
    _ tag: RowKey.Tag,
    _ collation: RowKeyCollation,
    _ start: UnsafeRawPointer?,
    _ count: Int32
  ) {
    let content = UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(count))
    let length = collation.length(of: content)
    append(tag, UInt64(length))
    let first = self.count
    append(contentsOf: content[..<length])
    collation.fold(&self[first...])
  }
}

/// How the texts of a key column are compared, where two equal texts can be recognized by their
/// bytes.
enum RowKeyCollation: Hashable, Sendable {
  case binary
  case noCase
  case rightTrim

  /// - Parameter name: The name of the collation; `nil` results for one made in Swift.
  init?(_ name: String) {
    switch name.asciiLowercased {
    case "binary": self = .binary
    case "nocase": self = Fault.isOn(.patchKeyCollation) ? .binary : .noCase
    case "rtrim": self = .rightTrim
    default: return nil
    }
  }

  /// Returns how many bytes of a text are compared.
  func length(of text: UnsafeRawBufferPointer) -> Int {
    guard self == .rightTrim else { return text.count }
    return (text.lastIndex { $0 != UInt8(ascii: " ") } ?? -1) + 1
  }

  /// Gives all texts that are equal under the collation the same bytes.
  func fold(_ text: inout ArraySlice<UInt8>) {
    guard self == .noCase else { return }
    // NOCASE compares the bytes before the first zero byte, and the lengths.
    var isCompared = true
    for index in text.indices {
      if text[index] == 0 { isCompared = false }
      if !isCompared {
        text[index] = 0
      } else if (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(text[index]) {
        text[index] |= 0x20
      }
    }
  }
}
