import TestSupport
import Testing

@testable import Storage

/// Pages that are written by hand, byte by byte.
@Suite struct DatabasePageTests {
  /// A page of 512 bytes whose content begins at 0, with cells at its end.
  private func page(
    _ kind: DatabasePage.Kind,
    _ cells: [[UInt8]],
    rightmost: UInt32 = 0,
    number: DatabasePage.Number = 2
  ) throws -> DatabasePage {
    var bytes = [UInt8](repeating: 0, count: 512)
    let start = number == 1 ? 100 : 0
    bytes[start] = kind.rawValue
    bytes[start + 4] = UInt8(cells.count)
    let isInterior = kind == .interiorTable || kind == .interiorIndex
    if isInterior { bytes.replaceSubrange(start + 8..<start + 12, with: Self.word(rightmost)) }
    var end = 512
    for (index, cell) in cells.enumerated() {
      end -= cell.count
      bytes.replaceSubrange(end..<end + cell.count, with: cell)
      let pointer = start + (isInterior ? 12 : 8) + 2 * index
      bytes[pointer] = UInt8(end >> 8)
      bytes[pointer + 1] = UInt8(end & 0xff)
    }
    return try DatabasePage(number: number, bytes: bytes, usableSize: 512)
  }

  private static func word(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
  }

  private static func row(_ id: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [UInt8(payload.count), id] + payload
  }

  @Test(
    arguments: [
      ([0x00], 0, 1), ([0x7f], 127, 1), ([0x81, 0x00], 128, 2), ([0xff, 0x7f], 16_383, 2),
      ([0x81, 0x80, 0x00], 16_384, 3),
      ([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], UInt64.max, 9),
      ([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x05], 5, 9),
    ] as [([UInt8], UInt64, Int)]
  )
  func `numbers have one to nine bytes`(bytes: [UInt8], value: UInt64, length: Int) throws {
    let all = bytes + [UInt8](repeating: 0xff, count: 512 - bytes.count)
    let page = try DatabasePage(number: 2, bytes: all, usableSize: 512)
    var offset = 0
    #expect(try page.varint(&offset) == value)
    #expect(offset == length)
  }

  @Test(arguments: [1, 2] as [DatabasePage.Number])
  func `a leaf has rows`(number: DatabasePage.Number) throws {
    let page = try page(
      .leafTable,
      [Self.row(7, [1, 2, 3]), Self.row(9, [])],
      number: number
    )
    #expect(page.kind == .leafTable)
    let cells = try page.cells().map { try page.cell(at: $0) }
    #expect(cells.map { $0?.rowID } == [7, 9])
    let bytes = cells.compactMap { $0.map { Array(page.bytes[$0.bytes]) } }
    #expect(bytes == [[3, 7, 1, 2, 3], [0, 9]])
    #expect(cells.allSatisfy { $0?.overflow == nil })
  }

  @Test func `an interior page has children, the last one in its header`() throws {
    let page = try page(
      .interiorTable,
      [Self.word(5) + [10], Self.word(6) + [20]],
      rightmost: 9
    )
    #expect(try page.children() == [5, 6, 9])
    #expect(try page.cell(at: page.cells()[0]) == nil)
  }

  /// A page of 512 bytes keeps 39 bytes or more of a record of 1,000 bytes: the bytes that do not
  /// fill whole overflow pages of 508 bytes.
  @Test(arguments: [
    (477, 477, 0), (478, 39, 1), (547, 39, 1), (1_000, 39, 2), (1_485, 469, 2), (10_000, 348, 19),
  ])
  func `a long record goes on in other pages`(size: Int, local: Int, pages: Int) throws {
    var cell = [UInt8(0x80 | size >> 7), UInt8(size & 0x7f), 7]
    cell += [UInt8](repeating: 1, count: local)
    if pages > 0 { cell += Self.word(44) }
    let page = try page(.leafTable, [cell])
    let found = try #require(try page.cell(at: page.cells()[0]))
    #expect(found.overflow == (pages > 0 ? 44 : nil))
    #expect(found.overflowCount == pages)
    #expect(found.bytes.count == cell.count)
  }

  @Test func `sizes that no database has are refused`() {
    for (count, usable) in [(512, 479), (512, 513), (131_072, 131_072)] {
      #expect(throws: PageObstacle.damaged) {
        try DatabasePage(
          number: 2,
          bytes: [UInt8](repeating: 0, count: count),
          usableSize: usable
        )
      }
    }
  }

  @Test func `a cell beyond the page is refused`() throws {
    var page = try page(.leafTable, [Self.row(7, [1, 2, 3])])
    var bytes = page.bytes
    bytes[507] = 100
    page = try DatabasePage(number: 2, bytes: bytes, usableSize: 512)
    let offset = try page.cells()[0]
    #expect(throws: PageObstacle.damaged) { try page.cell(at: offset) }
    bytes[4] = 255
    bytes[3] = 255
    page = try DatabasePage(number: 2, bytes: bytes, usableSize: 512)
    #expect(throws: PageObstacle.damaged) { try page.cells() }
  }
}
