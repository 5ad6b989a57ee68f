/// The columns of a record, as far as they are in the page of its row.
///
/// https://www.sqlite.org/fileformat2.html#record_format
struct RecordFields: Sendable {
  enum Value: Equatable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    /// In the encoding of the database.
    case text(ArraySlice<UInt8>)
    case blob(ArraySlice<UInt8>)
  }

  private struct Field {
    let type: UInt64
    /// The offsets of the value in the page; `nil` if it continues in an overflow page.
    let bytes: Range<Int>?
  }

  private let page: DatabasePage
  private let fields: [Field]

  /// Reads the header of the record of a row. If the header is damaged, no column is known.
  init(of cell: DatabasePage.Cell, in page: DatabasePage) {
    self.page = page
    fields = (try? Self.fields(of: cell, in: page)) ?? []
  }

  private static func fields(
    of cell: DatabasePage.Cell,
    in page: DatabasePage
  ) throws(PageObstacle) -> [Field] {
    var position = cell.record.lowerBound
    let size = try page.varint(&position)
    guard size <= UInt64(cell.record.count) else { throw .damaged }
    let headerEnd = cell.record.lowerBound + Int(size)
    var fields: [Field] = []
    var start = headerEnd
    while position < headerEnd {
      let type = try page.varint(&position)
      let end = start + (try self.size(of: type))
      let isInPage = end <= cell.record.upperBound
      guard isInPage || cell.overflow != nil else { throw .damaged }
      fields.append(Field(type: type, bytes: isInPage ? start..<end : nil))
      start = end
    }
    guard position == headerEnd else { throw .damaged }
    return fields
  }

  private static func size(of type: UInt64) throws(PageObstacle) -> Int {
    switch type {
    case 0, 8, 9: return 0
    case 1...4: return Int(type)
    case 5: return 6
    case 6, 7: return 8
    case 10, 11: throw .damaged
    default:
      guard type <= UInt64(UInt32.max) else { throw .damaged }
      return Int(type - 12) / 2
    }
  }

  /// How many columns the record has. A row that was written before a column was added has fewer
  /// than the table.
  var count: Int { fields.count }

  /// Returns the value of a column; `nil` if it is not in the page, or if the record has no such
  /// column.
  func value(at column: Int) -> Value? {
    guard fields.indices.contains(column), let bytes = fields[column].bytes else { return nil }
    switch fields[column].type {
    case 0: return .null
    case 8: return .integer(0)
    case 9: return .integer(1)
    case 7: return .real(Double(bitPattern: UInt64(bitPattern: integer(bytes))))
    case 1...6: return .integer(integer(bytes))
    case let type:
      return type.isMultiple(of: 2) ? .blob(page.bytes[bytes]) : .text(page.bytes[bytes])
    }
  }

  /// The bytes as a number in two's complement.
  private func integer(_ bytes: Range<Int>) -> Int64 {
    var value: Int64 = page.bytes[bytes.lowerBound] & 0x80 == 0 ? 0 : -1
    for byte in page.bytes[bytes] { value = value << 8 | Int64(byte) }
    return value
  }

  /// Returns the indexes of the columns whose values may differ; `nil` if it is not known which
  /// columns both records have.
  func columns(differingFrom other: RecordFields) -> Set<Int>? {
    guard count == other.count, count > 0 else { return nil }
    var columns: Set<Int> = []
    for column in fields.indices where !isEqual(at: column, to: other) { columns.insert(column) }
    return columns
  }

  private func isEqual(at column: Int, to other: RecordFields) -> Bool {
    let (field, otherField) = (fields[column], other.fields[column])
    guard field.type == otherField.type, let bytes = field.bytes, let others = otherField.bytes
    else { return false }
    return page.bytes[bytes] == other.page.bytes[others]
  }
}
