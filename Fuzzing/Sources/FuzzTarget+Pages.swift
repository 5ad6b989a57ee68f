import Foundation

@testable import Storage

extension FuzzTarget {
  /// Pages of a file before and after commits: their content is refused, or read in finite time.
  static let pages = FuzzTarget(name: "pages") { data in
    let pages = FuzzedPages(data)
    try? pages.checkHeader()
    try? pages.checkOverflowPages()
    for root in 1...3 as ClosedRange<DatabasePage.Number> {
      guard let tree = try? PageTree(root: root, read: pages.before) else { continue }
      var schema = tree
      try? pages.checkSchema(&schema)
      for hasRowIDs in [true, false] {
        var tree = tree
        let found = try? pages.changes(of: &tree, hasRowIDs: hasRowIDs, maximumCount: 100)
        if let found { check(found) }
      }
    }
  }

  private static func check(_ changes: RowChanges) {
    switch changes {
    case .none, .some: break
    case .ids(let ids): precondition(ids.count <= 100, "too many ids")
    case .rows(let rows):
      precondition(rows.count <= 100, "too many rows")
      for row in rows {
        for record in [row.before, row.after].compactMap({ $0 }) {
          for place in 0...record.count { _ = record.value(at: place) }
        }
        if let before = row.before { _ = row.after?.columns(differingFrom: before) }
      }
    }
  }
}

/// Pages of 512 bytes: eight as they were, and eight as they are. Of some, the former content is
/// lost.
private struct FuzzedPages: ChangedPages {
  private static let size = 512
  private static let count = 8

  private let bytes: [UInt8]
  let numbers: Set<DatabasePage.Number>
  private let lost: UInt8

  init(_ data: Data) {
    lost = data.first ?? 0
    var bytes = [UInt8](data.dropFirst().prefix(2 * Self.count * Self.size))
    bytes += [UInt8](repeating: 0, count: 2 * Self.count * Self.size - bytes.count)
    self.bytes = bytes
    numbers = Set(
      (1...DatabasePage.Number(Self.count)).filter { number in
        let start = Int(number - 1) * Self.size
        let other = start + Self.count * Self.size
        return bytes[start..<start + Self.size] != bytes[other..<other + Self.size]
      }
    )
  }

  func before(_ number: DatabasePage.Number) throws(PageObstacle) -> DatabasePage {
    guard number > 0, number > 7 || lost & (1 << UInt8(number)) == 0 else { throw .overwritten }
    return try page(number, after: 0)
  }

  func after(_ number: DatabasePage.Number) throws(PageObstacle) -> DatabasePage {
    try page(number, after: Self.count)
  }

  private func page(
    _ number: DatabasePage.Number,
    after count: Int
  ) throws(PageObstacle) -> DatabasePage {
    guard (1...Self.count).contains(Int(number)) else { throw .unreadable }
    let start = (count + Int(number) - 1) * Self.size
    return try DatabasePage(
      number: number,
      bytes: Array(bytes[start..<start + Self.size]),
      usableSize: Self.size
    )
  }
}
