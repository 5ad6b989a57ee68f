internal import FoundationEssentials

/// A part of a request's rows, which ends where the next page begins.
///
///     let first = try Player.order(\.name).fetchPage(db, size: 50)
///     if let next = first.next {
///       let second = try Player.order(\.name).fetchPage(db, after: next, size: 50)
///     }
///
/// A page is found by the values of its order, and not by an offset. So a row that stays in its
/// place is on exactly one page, whatever rows are inserted and deleted between two fetches.
public struct KeysetPage<Element> {
  /// The rows of the page, in the order of the request.
  public var rows: [Element]

  /// The position of the last row, after which the next page begins; `nil` on the last page.
  public var next: KeysetPosition?

  /// The number of rows on all pages, counted in the same state of the database; `nil` unless it
  /// was requested.
  public var totalCount: Int?

  /// Whether rows follow this page.
  public var hasNext: Bool { next != nil }

  /// Creates a page. Without arguments, it is empty.
  public init(rows: [Element] = [], next: KeysetPosition? = nil, totalCount: Int? = nil) {
    self.rows = rows
    self.next = next
    self.totalCount = totalCount
  }
}

extension KeysetPage: Sendable where Element: Sendable {}
extension KeysetPage: Equatable where Element: Equatable {}
extension KeysetPage: Hashable where Element: Hashable {}
extension KeysetPage: Encodable where Element: Encodable {}
extension KeysetPage: Decodable where Element: Decodable {}

/// The position of a row in the order of a request: see ``KeysetPage/next``.
///
/// A position has a short text, which a web service can hand out and read again:
///
///     let link = "/players?after=\(position)"
///     let position = KeysetPosition(parameter)  // nil for a text that is not a position
///
/// It consists of the values of the row in the columns of the order, so it stays valid when the row
/// is changed or deleted. The text is not encrypted and not signed: it shows these values, and a
/// client can make a position of other values. That only changes where a page begins. A position
/// belongs to one order, and cannot be used with another one.
public struct KeysetPosition: Hashable, Sendable {
  /// Identifies the order of the request.
  let order: UInt32
  /// The values of the row, one for each term of the order.
  let values: [DatabaseValue]

  init(order: UInt32, values: [DatabaseValue]) {
    self.order = order
    self.values = values
  }
}

extension KeysetPosition: LosslessStringConvertible {
  /// The text of the position: letters, digits, `-` and `_`.
  public var description: String {
    var bytes = Data([Self.version])
    bytes.append(integer: order)
    for value in values { bytes.append(value: value) }
    return bytes.base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// Reads the text of a position.
  ///
  /// - Returns: `nil` when the text is not the text of a position.
  public init?(_ description: String) {
    let padding = String(repeating: "=", count: (4 - description.utf8.count % 4) % 4)
    let base64 = description.replacing("-", with: "+").replacing("_", with: "/") + padding
    guard var bytes = Data(base64Encoded: base64)?[...], bytes.popFirst() == Self.version,
      let order = bytes.popInteger(UInt32.self)
    else { return nil }
    var values: [DatabaseValue] = []
    while !bytes.isEmpty {
      guard let value = bytes.popValue() else { return nil }
      values.append(value)
    }
    self.init(order: order, values: values)
  }

  private static let version: UInt8 = 1
}

extension KeysetPosition: Codable {
  /// Encodes the text of the position.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// Decodes the text of a position.
  ///
  /// - Throws: `DecodingError` when the text is not the text of a position.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let position = KeysetPosition(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "the text is not that of a page position"
      )
    }
    self = position
  }
}

// MARK: - Bytes

/// The first byte of a value: its storage class.
private enum Tag: UInt8 {
  case null, integer, real, text, blob
}

extension Data {
  fileprivate mutating func append(integer: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: integer.bigEndian) { append(contentsOf: $0) }
  }

  fileprivate mutating func append(value: DatabaseValue) {
    switch value.storage {
    case .null:
      append(Tag.null.rawValue)
    case .int64(let integer):
      append(Tag.integer.rawValue)
      append(integer: integer)
    case .double(let double):
      append(Tag.real.rawValue)
      append(integer: double.bitPattern)
    case .string(let text):
      append(Tag.text.rawValue)
      append(integer: UInt32(text.utf8.count))
      append(contentsOf: text.utf8)
    case .blob(let blob):
      append(Tag.blob.rawValue)
      append(integer: UInt32(blob.count))
      append(blob)
    }
  }

  fileprivate mutating func popInteger<Integer: FixedWidthInteger>(_: Integer.Type) -> Integer? {
    guard let bytes = popBytes(MemoryLayout<Integer>.size) else { return nil }
    return bytes.reduce(0) { $0 << 8 | Integer($1) }
  }

  private mutating func popBytes(_ count: Int) -> Data? {
    guard self.count >= count else { return nil }
    defer { self = self.dropFirst(count) }
    return Data(prefix(count))
  }

  fileprivate mutating func popValue() -> DatabaseValue? {
    guard let tag = popFirst().flatMap(Tag.init) else { return nil }
    switch tag {
    case .null:
      return .null
    case .integer:
      return popInteger(UInt64.self).map { Int64(bitPattern: $0).databaseValue }
    case .real:
      return popInteger(UInt64.self).map { Double(bitPattern: $0).databaseValue }
    case .text, .blob:
      guard let count = popInteger(UInt32.self), let bytes = popBytes(Int(count)) else {
        return nil
      }
      guard tag == .text else { return DatabaseValue(storage: .blob(bytes)) }
      return String(bytes: bytes, encoding: .utf8)?.databaseValue
    }
  }
}
