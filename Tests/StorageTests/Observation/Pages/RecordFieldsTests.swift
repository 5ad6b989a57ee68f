import Testing

@testable import Storage

/// Records in a page that is written by hand.
@Suite struct RecordFieldsTests {
  /// Returns the record of a row with the types of its columns and their values.
  private func record(_ header: [UInt8], _ body: [UInt8] = []) throws -> RecordFields {
    let bytes = [UInt8(header.count + 1)] + header + body
    return try record(cell: [UInt8(bytes.count), 7] + bytes)
  }

  private func record(cell bytes: [UInt8]) throws -> RecordFields {
    let leaf = HandwrittenPages.leaf([bytes])
    let page = try DatabasePage(number: 2, bytes: leaf, usableSize: leaf.count)
    let cell = try #require(try page.cell(at: try page.cells()[0]))
    return RecordFields(of: cell, in: page)
  }

  private func values(_ record: RecordFields) -> [RecordFields.Value?] {
    (0..<record.count).map(record.value)
  }

  static let numbers: [(type: UInt8, bytes: [UInt8], RecordFields.Value)] = [
    (0, [], .null), (8, [], .integer(0)), (9, [], .integer(1)), (1, [0x7f], .integer(127)),
    (1, [0xff], .integer(-1)), (2, [0x80, 0], .integer(-32_768)), (3, [1, 0, 0], .integer(65_536)),
    (4, [0, 0, 0, 5], .integer(5)), (5, [0xff, 0xff, 0xff, 0xff, 0xff, 0xfe], .integer(-2)),
    (6, [0x7f] + [UInt8](repeating: 0xff, count: 7), .integer(.max)),
    (6, [0x80] + [UInt8](repeating: 0, count: 7), .integer(.min)),
    (7, [0x3f, 0xf8, 0, 0, 0, 0, 0, 0], .real(1.5)), (12, [], .blob([])), (13, [], .text([])),
    (16, [1, 2], .blob([1, 2])), (17, [0x61, 0x62], .text([0x61, 0x62])),
  ]

  @Test(arguments: numbers)
  func `each type has its value`(
    type: UInt8,
    bytes: [UInt8],
    value: RecordFields.Value
  ) throws {
    #expect(try values(record([type], bytes)) == [value])
    #expect(
      try values(record([1, type, 1], [5] + bytes + [6])) == [.integer(5), value, .integer(6)]
    )
  }

  @Test func `a record has no more columns than its header`() throws {
    let record = try record([9, 8])
    #expect(record.count == 2)
    #expect(record.value(at: 2) == nil)
    #expect(record.value(at: -1) == nil)
  }

  @Test func `the columns that differ are told`() throws {
    let former = try record([1, 15, 0], [5, 0x61])
    #expect(try record([1, 15, 0], [5, 0x61]).columns(differingFrom: former) == [])
    #expect(try record([1, 15, 0], [6, 0x62]).columns(differingFrom: former) == [0, 1])
    #expect(try record([1, 15, 8], [5, 0x61]).columns(differingFrom: former) == [2])
    // Equal bytes of another type.
    #expect(try record([1, 14, 0], [5, 0x61]).columns(differingFrom: former) == [1])
    // A column was added.
    #expect(try record([1, 15, 0, 9], [5, 0x61]).columns(differingFrom: former) == nil)
  }

  @Test func `values that go on in another page are not known`() throws {
    // The record of 1,000 bytes has an integer, a text of 30 bytes, and a blob of 964.
    var cell = HandwrittenPages.longCell(9, overflow: 6)
    cell.replaceSubrange(3..<9, with: [5, 1, 73, 0x8f, 0x14, 7])
    let record = try record(cell: cell)
    #expect(record.count == 3)
    #expect(record.value(at: 0) == .integer(7))
    #expect(record.value(at: 1) == .text(ArraySlice([UInt8](repeating: 1, count: 30))))
    #expect(record.value(at: 2) == nil)
    #expect(record.columns(differingFrom: record) == [2])
  }

  @Test(
    arguments: [
      // A header that is longer than the record, a header that ends inside of a number, and a
      // header of no byte.
      [3, 7, 9, 1, 1], [2, 7, 2, 0x81], [2, 7, 0, 1],
      // A value that is longer than the record, and types that no file has.
      [3, 7, 2, 6, 1], [2, 7, 2, 10], [2, 7, 2, 11], [6, 7, 5, 0x8f, 0xff, 0xff, 0x7f, 1],
    ] as [[UInt8]]
  )
  func `no column of a damaged record is known`(cell: [UInt8]) throws {
    let damaged = try record(cell: cell)
    #expect(damaged.count == 0)
    #expect(damaged.value(at: 0) == nil)
    #expect(damaged.columns(differingFrom: damaged) == nil)
  }
}
