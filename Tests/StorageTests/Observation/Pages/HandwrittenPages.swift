@testable import Storage

/// Pages of 512 bytes that are written by hand, before and after commits.
struct HandwrittenPages: ChangedPages {
  typealias Content = [DatabasePage.Number: [UInt8]]

  var former: Content
  var present: Content
  /// The pages that are written, beside the pages that differ.
  var written: Set<DatabasePage.Number> = []
  var numbers: Set<DatabasePage.Number> {
    written.union(present.keys.filter { present[$0] != former[$0] })
  }

  /// The pages whose former content is lost.
  var lost: Set<DatabasePage.Number> = []

  func before(_ number: DatabasePage.Number) throws(PageObstacle) -> DatabasePage {
    guard !lost.contains(number) else { throw .overwritten }
    return try Self.page(number, former)
  }

  func after(_ number: DatabasePage.Number) throws(PageObstacle) -> DatabasePage {
    try Self.page(number, present)
  }

  private static func page(
    _ number: DatabasePage.Number,
    _ pages: Content
  ) throws(PageObstacle) -> DatabasePage {
    guard let bytes = pages[number] else { throw .damaged }
    return try DatabasePage(number: number, bytes: bytes, usableSize: bytes.count)
  }

  /// A leaf with rows of one byte.
  static func leaf(_ rows: [UInt8: UInt8]) -> [UInt8] {
    leaf(rows.sorted { $0.key < $1.key }.map { [1, $0.key, $0.value] })
  }

  /// A leaf with cells.
  static func leaf(_ cells: [[UInt8]]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 512)
    bytes[0] = DatabasePage.Kind.leafTable.rawValue
    bytes[4] = UInt8(cells.count)
    var offset = 512
    for (index, cell) in cells.enumerated() {
      offset -= cell.count
      bytes.replaceSubrange(offset..<offset + cell.count, with: cell)
      bytes[8 + 2 * index] = UInt8(offset >> 8)
      bytes[9 + 2 * index] = UInt8(offset & 0xff)
    }
    return bytes
  }

  /// An interior page. The first child has the rows up to 10, the second child the rows up to 20,
  /// and so on.
  static func interior(_ children: [UInt8]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 512)
    bytes[0] = DatabasePage.Kind.interiorTable.rawValue
    bytes[4] = UInt8(children.count - 1)
    bytes[11] = children[children.count - 1]
    for (index, child) in children.dropLast().enumerated() {
      let offset = 512 - 5 * (index + 1)
      bytes.replaceSubrange(offset..<offset + 5, with: [0, 0, 0, child, UInt8(10 * (index + 1))])
      bytes[12 + 2 * index] = UInt8(offset >> 8)
      bytes[13 + 2 * index] = UInt8(offset & 0xff)
    }
    return bytes
  }

  /// A cell of 1,000 bytes: 39 bytes are in the leaf, and the other bytes in two more pages.
  static func longCell(_ id: UInt8, overflow: UInt8) -> [UInt8] {
    [0x87, 0x68, id] + [UInt8](repeating: 1, count: 39) + [0, 0, 0, overflow]
  }

  /// An overflow page, or a page of the free list without further pages.
  static func overflow(next: UInt8, _ value: UInt8) -> [UInt8] {
    [0, 0, 0, next] + [UInt8](repeating: value, count: 508)
  }

  /// The first page, without tables.
  static let header: [UInt8] = {
    var bytes = [UInt8](repeating: 0, count: 512)
    bytes[100] = DatabasePage.Kind.leafTable.rawValue
    return bytes
  }()

  /// The header, and the tree of a table: a root with two leaves.
  static let table: Content = [
    1: header, 2: interior([3, 4]), 3: leaf([1: 1, 2: 1]), 4: leaf([11: 1, 12: 1]),
  ]
}
