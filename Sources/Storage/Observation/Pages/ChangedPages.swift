internal import WellspringSystem

/// The pages that commits have written, as they were before and are now.
protocol ChangedPages {
  /// The numbers of the pages.
  var numbers: Set<DatabasePage.Number> { get }

  /// Reads a page as it was before the commits.
  func before(_ number: DatabasePage.Number) throws(PageObstacle) -> DatabasePage

  /// Reads a page as it is after the commits.
  func after(_ number: DatabasePage.Number) throws(PageObstacle) -> DatabasePage
}

/// The changes of one table by commits.
enum RowChanges: Sendable {
  case none
  case rows([ChangedRow])
  /// Rows with some of these ids.
  case ids(Set<Int64>)
  /// Rows that are not known.
  case some
}

/// A row that commits have changed.
struct ChangedRow: Sendable {
  let id: Int64
  /// The record before the commits; `nil` if the row did not exist.
  var before: RecordFields?
  /// The record after the commits; `nil` if the row no longer exists.
  var after: RecordFields?
}

extension ChangedPages {
  /// The bytes of the file's header that a commit may change without a change of the schema: the
  /// counter of changes, the size, the free pages, and the versions of SQLite.
  private static var freeBytes: [Range<Int>] { [24..<40, 92..<100] }

  /// Checks that commits have not changed a part of the header that concerns the whole file.
  ///
  /// - Throws: The ``PageObstacle``.
  func checkHeader() throws(PageObstacle) {
    if Fault.isOn(.pageHeader) { return }
    let header = try after(1)
    // Whether pages move, and their number: with more pages, the first byte of a page that is not
    // part of a tree could be 2 or more.
    guard try header.word(52) == 0, try header.word(28) < 0x0200_0000 else { throw .layout }
    guard numbers.contains(1) else { return }
    let former = try before(1)
    guard former.bytes.count == header.bytes.count else { throw .schema }
    for index in header.bytes.indices where header.bytes[index] != former.bytes[index] {
      guard Self.freeBytes.contains(where: { $0.contains(index) }) else { throw .schema }
    }
  }

  /// Checks that commits have changed no page of the schema beside the first one, which
  /// ``checkHeader()`` compares.
  ///
  /// - Parameter tree: The schema's tree before the commits. It becomes that after them.
  /// - Throws: The ``PageObstacle``.
  func checkSchema(_ tree: inout PageTree) throws(PageObstacle) {
    let former = tree
    _ = try tree.update(changed: numbers, read: after)
    for number in numbers where number != tree.root {
      if former.contains(number) || tree.contains(number) { throw .schema }
    }
  }

  /// Finds the changes of a table.
  ///
  /// - Parameters:
  ///   - tree: The table's tree before the commits. It becomes that after them.
  ///   - hasRowIDs: Whether the table has row ids.
  ///   - maximumCount: With more changed rows, the rows are not reported.
  /// - Returns: The changes.
  /// - Throws: The ``PageObstacle``. The tree must then be dropped.
  func changes(
    of tree: inout PageTree,
    hasRowIDs: Bool,
    maximumCount: Int
  ) throws(PageObstacle) -> RowChanges {
    let former = tree
    let difference = try tree.update(changed: numbers, read: after)
    guard hasRowIDs else {
      // Interior pages of an index have entries of their own.
      let isTouched = numbers.contains { former.contains($0) || tree.contains($0) }
      return isTouched || !difference.removed.isEmpty ? .some : .none
    }
    let touched = numbers.filter {
      former.leaves.contains($0) || tree.leaves.contains($0) && !Fault.isOn(.pageLeaf)
    }
    let added = Fault.isOn(.pageLeaf) ? [] : difference.added
    let moved = difference.removed.union(added)
    let pages = Fault.isOn(.pageRemoved) ? touched : touched.union(moved)
    guard !pages.isEmpty else { return .none }
    guard pages.count <= maximumCount else { return .some }
    let old: [DatabasePage]
    do throws(PageObstacle) {
      old = try leaves(pages.intersection(former.leaves), read: before)
    } catch {
      guard error == .overwritten else { throw error }
      // As long as the leaves are the same ones, the rows of each leaf are between the rows of its
      // neighbors.
      let isSame = moved.isEmpty && !numbers.contains(where: former.isInterior)
      return isSame ? try ids(ofRowsIn: pages, of: tree, maximumCount: maximumCount) : .some
    }
    let new = try leaves(pages.intersection(tree.leaves), read: after)
    let equal = try equalCells(old, new)
    return try compare(
      LeafRows(old, without: equal),
      LeafRows(new, without: equal),
      maximumCount: maximumCount
    )
  }

  /// Finds the cells of leaves that are the same before and after the commits.
  ///
  /// - Returns: None if overflow pages have changed, since a row can then have changed beside its
  ///   cell.
  private func equalCells(
    _ before: [DatabasePage],
    _ after: [DatabasePage]
  ) throws(PageObstacle) -> [DatabasePage.Number: EqualCells] {
    for number in numbers where try self.after(number).kind == nil && !Fault.isOn(.pageEqual) {
      return [:]
    }
    let former = Dictionary(before.map { ($0.number, $0) }) { first, _ in first }
    var equal: [DatabasePage.Number: EqualCells] = [:]
    for leaf in after {
      if let former = former[leaf.number] { equal[leaf.number] = try EqualCells(former, leaf) }
    }
    return equal
  }

  /// Reads leaves of a table.
  private func leaves(
    _ numbers: Set<DatabasePage.Number>,
    read: (DatabasePage.Number) throws(PageObstacle) -> DatabasePage
  ) throws(PageObstacle) -> [DatabasePage] {
    var leaves: [DatabasePage] = []
    for number in numbers {
      let leaf = try read(number)
      guard leaf.kind == .leafTable else { throw .damaged }
      leaves.append(leaf)
    }
    return leaves
  }

  /// Finds the ids that rows of leaves can have whose former content is lost.
  private func ids(
    ofRowsIn pages: Set<DatabasePage.Number>,
    of tree: PageTree,
    maximumCount: Int
  ) throws(PageObstacle) -> RowChanges {
    var ids: Set<Int64> = []
    for leaf in pages {
      let rows = try LeafRows(leaves([leaf], read: after))
      guard rows.count > 0 else { return .some }
      var node = (page: tree.root, previous: Int64?.none, last: Int64?.none)
      while node.page != leaf {
        guard tree.isInterior(node.page) else { throw .damaged }
        let child = try after(node.page).child(withRow: rows.id(0))
        node = (child.page, child.previous ?? node.previous, child.last ?? node.last)
      }
      guard let previous = node.previous, let last = node.last, previous < last else {
        return .some
      }
      let (count, overflows) = last.subtractingReportingOverflow(previous)
      guard !overflows, count <= Int64(maximumCount - ids.count) else { return .some }
      ids.formUnion(previous + 1...last)
    }
    return .ids(ids)
  }

  /// Compares rows before and after the commits, in the order of their ids.
  private func compare(
    _ old: LeafRows,
    _ new: LeafRows,
    maximumCount: Int
  ) throws(PageObstacle) -> RowChanges {
    var changed: [ChangedRow] = []
    var (left, right) = (0, 0)
    while left < old.count || right < new.count {
      var row: ChangedRow
      if right == new.count || left < old.count && old.id(left) < new.id(right) {
        row = ChangedRow(id: old.id(left), before: old.record(left))
        left += 1
        if Fault.isOn(.pageRow) { continue }
      } else if left == old.count || new.id(right) < old.id(left) {
        row = ChangedRow(id: new.id(right), after: new.record(right))
        right += 1
      } else {
        defer { (left, right) = (left + 1, right + 1) }
        if old.isEqual(left, to: new, right), try !mayHaveChanged(overflowOf: new.cell(right)) {
          continue
        }
        row = ChangedRow(id: old.id(left), before: old.record(left))
        row.after = new.record(right)
      }
      changed.append(row)
      guard changed.count <= maximumCount else { return .some }
    }
    return changed.isEmpty ? .none : .rows(changed)
  }

  /// Whether an overflow page of a record has changed.
  private func mayHaveChanged(
    overflowOf cell: DatabasePage.Cell
  ) throws(PageObstacle) -> Bool {
    guard var next = cell.overflow, !Fault.isOn(.pageChain) else { return false }
    // A long chain is not worth reading.
    guard cell.overflowCount <= 64 else { return true }
    for index in 0..<cell.overflowCount {
      if numbers.contains(next) { return true }
      if index < cell.overflowCount - 1 { next = try after(next).word(0) }
      guard next > 0 || index == cell.overflowCount - 1 else { throw .damaged }
    }
    return false
  }

  // MARK: Pages beside trees

  /// Checks that each changed page is a part of a tree, or belongs to a changed page of a tree, or
  /// is free.
  ///
  /// When a value of the same length overwrites another value, this can change an overflow page and
  /// no page of its tree.
  ///
  /// - Throws: ``PageObstacle/unexplained``, or why a page could not be read.
  func checkOverflowPages() throws(PageObstacle) {
    var pages: [DatabasePage] = []
    var unexplained: Set<DatabasePage.Number> = []
    for number in numbers where number > 1 {
      let page = try after(number)
      guard page.kind == nil else {
        pages.append(page)
        continue
      }
      if try differs(page) ?? true { unexplained.insert(number) }
    }
    guard !unexplained.isEmpty else { return }
    try removeFreePages(from: &unexplained)
    if numbers.contains(1) { pages.append(try after(1)) }
    for page in pages {
      if unexplained.isEmpty { return }
      guard try differs(page) ?? false else { continue }
      for offset in try page.cells() {
        guard let cell = try page.cell(at: offset), var next = cell.overflow else { continue }
        // Behind a page that has not changed, none has that explains anything. Each page is removed
        // once, so that a damaged chain, which may lead to itself, ends.
        for index in 0..<cell.overflowCount {
          guard unexplained.remove(next) != nil, index < cell.overflowCount - 1 else { break }
          next = try after(next).word(0)
        }
      }
    }
    guard unexplained.isEmpty || Fault.isOn(.pageOverflow) else { throw .unexplained }
  }

  /// Whether a page that was written differs from its former content; `nil` if that is not known.
  ///
  /// With sectors larger than a page, SQLite writes the neighbors of a page, too. A free page may
  /// lead to overflow pages of its former rows, which belong to other rows by now.
  private func differs(_ page: DatabasePage) throws(PageObstacle) -> Bool? {
    do throws(PageObstacle) {
      return try before(page.number).bytes != page.bytes
    } catch {
      // The file had no such page, or it is lost.
      return error == .unreadable ? true : nil
    }
  }

  /// Removes the pages that the commits have freed: they are at the beginning of the free list.
  private func removeFreePages(
    from unexplained: inout Set<DatabasePage.Number>
  ) throws(PageObstacle) {
    var next = try after(1).word(32)
    var trunks: Set<DatabasePage.Number> = []
    while next > 0, numbers.contains(next) {
      guard trunks.insert(next).inserted else { throw .damaged }
      let trunk = try after(next)
      unexplained.remove(next)
      let count = Int(try trunk.word(4))
      guard count <= trunk.usableSize / 4 - 2 else { throw .damaged }
      for index in 0..<count { unexplained.remove(try trunk.word(8 + 4 * index)) }
      next = try trunk.word(0)
    }
  }
}
