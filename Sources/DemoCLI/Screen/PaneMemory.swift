internal import CommandLineSupport
internal import Storage

/// The former rows of a large result, as one number for each row, to find the rows that have
/// changed outside the window.
///
/// Where no log of the file says which rows another process has written, all rows are read: once to
/// remember them, and once for each comparison and each search. Of equal rows without a key, one is
/// remembered.
struct PaneMemory {
  let query: WatchedQuery
  /// The rows by their row ids, or by the hashes of their keys.
  private var rows: [Int: RememberedRow] = [:]
  /// The order whose sort keys are remembered; `nil` until all rows were read.
  private var order: PaneView.Order?
  /// Which of two passes has read a row.
  private var pass = false
  /// The largest number of rows that are remembered.
  private let limit: Int
  /// Whether the result has more rows than that.
  private var isTooLarge = false

  init(query: WatchedQuery, limit: Int = 4_000_000) {
    self.query = query
    self.limit = limit
  }

  /// Whether the rows of an earlier state are known.
  var isReady: Bool { order != nil || isTooLarge }
}

// MARK: - Comparing

extension PaneMemory {
  /// A pass over all rows of a view, in one step or in several.
  struct Pass {
    let order: PaneView.Order
    /// The row at the top of the window.
    let top: Top?
    fileprivate var comparison = PaneComparison()
    /// The index of the next row, and the sort key of the row before it.
    fileprivate var index = 0
    fileprivate var sortKey: [DatabaseValue]?
    /// Whether rows have keys, so that a row that changes is the same one.
    fileprivate var hasKeys = true
    /// Whether the rows are in the order of their row ids.
    fileprivate var isByRowID = false
    /// Whether rows of the former state were dropped.
    fileprivate var isIncomplete = false
  }

  /// A row whose index is wanted: its row id or the hash of its key, and the index that it may
  /// have.
  struct Top: Equatable, Sendable {
    var key: Int
    var offset: Int
  }

  /// Begins to read all rows. The pass must end with ``end(_:)`` or ``abandon()``. The first one is
  /// to have no filter.
  mutating func begin(_ order: PaneView.Order, top: Top? = nil) -> Pass {
    if self.order == nil { rows = [:] }
    pass.toggle()
    return Pass(order: order, top: top)
  }

  /// The rows that one step of a pass has read.
  struct Step {
    fileprivate var rows: [(key: Int, row: Int)] = []
    fileprivate let hasKeys: Bool
    fileprivate let isByRowID: Bool
    /// The sort key of the last row, if rows can be found by their sort keys.
    fileprivate var sortKey: [DatabaseValue]?
    /// Whether there may be more rows.
    fileprivate var isFull = false
  }

  /// Reads the next rows of a pass.
  ///
  /// - Parameters:
  ///   - db: The database.
  ///   - pass: The pass.
  ///   - stepLimit: The number of rows after which the step ends, if rows can be found by their
  ///     sort keys.
  /// - Returns: The rows, for ``note(_:_:)``.
  /// - Throws: `DatabaseError` or ``ToolError``.
  func step(_ db: Database, of pass: Pass, limit stepLimit: Int? = nil) throws -> Step {
    let plan = try query.plan(db)
    var step = Step(
      hasKeys: plan.identifiesRows,
      isByRowID: plan.hasRowIDs && pass.order.sort == nil,
      sortKey: pass.sortKey
    )
    guard !isTooLarge else { return step }
    // Row ids differ, so that there are too many rows after `limit` of them.
    let room = (step.isByRowID ? limit + 1 : RememberedRow.indexLimit) - pass.index
    let count = try query.forEachRow(db, pass.order, after: &step.sortKey, limit: stepLimit) {
      _,
      key,
      row in
      step.rows.append((key, row))
      return step.rows.count < room
    }
    step.isFull = step.sortKey != nil && count == stepLimit
    return step
  }

  /// Compares the rows of a step with the remembered rows, and remembers them.
  ///
  /// - Parameters:
  ///   - step: The rows.
  ///   - pass: The pass.
  /// - Returns: Whether there are more rows.
  mutating func note(_ step: Step, _ pass: inout Pass) -> Bool {
    guard !isTooLarge else { return false }
    let isFirst = order == nil
    (pass.hasKeys, pass.isByRowID) = (step.hasKeys, step.isByRowID)
    for (key, row) in step.rows {
      note(key: key, row: row, isFirst: isFirst, &pass)
      if rows.count > limit, !isFirst {
        // Rows that are there no longer make room.
        let current = self.pass
        rows = rows.filter { $1[.pass] == current }
        pass.isIncomplete = true
      }
      isTooLarge = rows.count > limit || pass.index >= RememberedRow.indexLimit
      guard !isTooLarge else { return false }
    }
    pass.sortKey = step.sortKey
    return step.isFull
  }

  private mutating func note(key: Int, row: Int, isFirst: Bool, _ pass: inout Pass) {
    defer { pass.index += 1 }
    if let top = pass.top, top.key == key {
      pass.comparison.noteTop(pass.index, expected: top.offset)
    }
    var new = RememberedRow(hash: row, index: pass.index, pass: self.pass)
    if let old = rows[key] {
      // An equal row that has no key.
      guard old[.pass] != self.pass else { return }
      new[.isAdded] = old[.isPending] ? old[.isAdded] : old.index == nil
      new[.isPending] = old[.isPending] || new[.isAdded] || !old.hasHash(row)
      if new[.isPending] { pass.comparison.add(pass.index, isNew: new[.isAdded]) }
      new[.isUnseen] = old[.isUnseen] || !old.hasHash(row)
      new[.isNew] = old[.isNew]
    } else if !isFirst {
      pass.comparison.add(pass.index, isNew: true)
      (new[.isPending], new[.isAdded], new[.isUnseen], new[.isNew]) = (true, true, true, true)
    }
    rows[key] = new
  }

  /// Ends a pass that has read all rows.
  ///
  /// - Returns: The changes since the last pass; `nil` if they are not known, because this is the
  ///   first pass, or the first pass with another order or filter.
  mutating func end(_ pass: Pass) -> PaneComparison? {
    guard !isTooLarge else {
      rows = [:]
      return nil
    }
    // The row ids of the rows that are not there, or else their indexes.
    var removed: [Int] = []
    var areComplete = true
    let current = self.pass
    forEachRemembered { key, row in
      if row[.pass] != current {
        if let index = row.index { removed.append(pass.isByRowID ? key : index) }
        row.index = nil
        row[.pass] = current
        areComplete = false
      }
      row[.isPending] = false
    }
    // Rows that a filter leaves out are remembered.
    if !areComplete, pass.order.filter.isEmpty { rows = rows.filter { $1.index != nil } }
    defer { order = pass.order }
    guard order == pass.order, !pass.isIncomplete else { return nil }
    var comparison = pass.comparison
    comparison.rowCount = pass.index
    if pass.isByRowID {
      comparison.remove(before: numbersOfRows(before: removed.sorted()))
    } else {
      comparison.remove(indices: removed)
    }
    if !pass.hasKeys { comparison.pairUpdates() }
    return comparison
  }

  /// Ends a pass that was interrupted: the next one finds the same again.
  mutating func abandon() {
    pass.toggle()
    let former = pass
    forEachRemembered { $1[.pass] = former }
  }

  /// Changes all rows that are remembered, where they are.
  private mutating func forEachRemembered(_ body: (_ key: Int, inout RememberedRow) -> Void) {
    var index = rows.startIndex
    while index != rows.endIndex {
      body(rows[index].key, &rows.values[index])
      rows.formIndex(after: &index)
    }
  }

  /// Returns for each of several ascending row ids how many rows that are there precede it.
  private func numbersOfRows(before ids: [Int]) -> [Int] {
    guard !ids.isEmpty else { return [] }
    var numbers = Array(repeating: 0, count: ids.count + 1)
    for (id, row) in rows where row.index != nil {
      numbers[PaneComparison.count(of: ids, before: id)] += 1
    }
    for index in ids.indices { numbers[index + 1] += numbers[index] }
    return numbers.dropLast()
  }

  /// Remembers the present state of rows that the log of the file names, so that the next
  /// comparison only finds other changes. Searches find them.
  mutating func note(_ named: NamedRows) {
    guard order != nil, !isTooLarge else { return }
    for id in named.absent { rows[Int(id)] = nil }
    for (id, hash) in named.present {
      let old = rows[Int(id)]
      // The next pass sets the index.
      var new = RememberedRow(hash: hash, index: old?.index ?? 0, pass: pass)
      new[.isUnseen] = old.map { $0[.isUnseen] || !$0.hasHash(hash) } ?? true
      new[.isNew] = old?[.isNew] ?? true
      rows[Int(id)] = new
    }
    guard rows.count > limit else { return }
    (rows, isTooLarge) = ([:], true)
  }
}

// MARK: - Searching

extension PaneMemory {
  /// A row that is new or has changed.
  struct Found: Equatable, Sendable {
    let index: Int
    let isNew: Bool
  }

  /// A row that a search has found, in the form in which it is remembered.
  struct Candidate {
    fileprivate let found: Found
    fileprivate let key: Int
    fileprivate let row: RememberedRow
  }

  /// Finds the next row of a view that is new or has changed, and that no search has found since.
  ///
  /// - Parameters:
  ///   - db: The database.
  ///   - view: The order and the filter of the rows.
  ///   - top: The index after which to search, or before which, around the end.
  ///   - forward: Whether to search after `top`.
  /// - Returns: The row, for ``take(_:)``; `nil` if no row has changed.
  /// - Throws: `DatabaseError`, or ``ToolError`` when there are too many rows.
  func search(
    _ db: Database,
    view: PaneView,
    from top: Int,
    forward: Bool
  ) throws -> Candidate? {
    if isTooLarge {
      throw ToolError("changes are searched for among \(limit) rows at most")
    }
    typealias Change = (index: Int, key: Int, row: Int)
    /// The nearest change in the direction of the search, and the change to continue with at the
    /// end.
    var near: Change?
    var around: Change?
    var start: [DatabaseValue]?
    try query.forEachRow(db, view.order, after: &start, limit: nil) { index, key, row in
      if let known = rows[key], known.hasHash(row), !known[.isUnseen] { return true }
      let change = (index, key, row)
      if forward {
        if around == nil { around = change }
        guard index > top else { return true }
        near = change
        return false
      }
      if index < top { near = change }
      around = change
      return true
    }
    guard let found = near ?? around else { return nil }
    let hasKeys = try query.plan(db).identifiesRows
    let old = rows[found.key]
    let isNew = hasKeys && (old?[.isNew] ?? true)
    var row = RememberedRow(hash: found.row, index: old?.index, pass: old?[.pass] ?? pass)
    // The next comparison counts it all the same.
    row[.isPending] = old.map { $0[.isPending] || !$0.hasHash(found.row) } ?? true
    row[.isAdded] = old?[.isAdded] ?? true
    return Candidate(found: Found(index: found.index, isNew: isNew), key: found.key, row: row)
  }

  /// Takes note that a search has found a row.
  ///
  /// - Parameter candidate: The row.
  /// - Returns: Where it is.
  mutating func take(_ candidate: Candidate) -> Found {
    rows[candidate.key] = candidate.row
    return candidate.found
  }
}

extension WatchedQuery {
  /// Calls a closure with each row, until it returns `false`.
  ///
  /// - Parameters:
  ///   - db: The database.
  ///   - order: The order and the filter of the rows.
  ///   - sortKey: The sort key of the row before the first one, where rows are found by it;
  ///     afterwards, that of the last row.
  ///   - limit: The largest number of rows, where they are found by their sort keys.
  ///   - body: The closure.
  /// - Returns: The number of rows.
  /// - Throws: `DatabaseError` or ``ToolError``.
  @discardableResult
  fileprivate func forEachRow(
    _ db: Database,
    _ order: PaneView.Order,
    after sortKey: inout [DatabaseValue]?,
    limit: Int?,
    _ body: (_ index: Int, _ key: Int, _ row: Int) -> Bool
  ) throws -> Int {
    let plan = try plan(db)
    guard
      let source = try PaneSource(plan, view: PaneView(sort: order.sort, filter: order.filter), db)
    else { return 0 }
    let shape = try plan.result(columns: source.columns, rows: [])
    let cursor = try source.cursor(db, after: sortKey, limit: limit)
    var index = 0
    var last: [DatabaseValue]?
    while let row = try cursor.next() {
      let values = row.databaseValues
      last = values
      index += 1
      let id = source.endWithRowIDs ? values.last.flatMap { Int.fromDatabaseValue($0) } : nil
      let key = id ?? shape.keyHash(of: values.dropLast(source.rangeCount))
      guard body(index - 1, key, source.hash(ofRow: values)) else { break }
    }
    sortKey = last.flatMap(source.sortKey)
    return index
  }
}

/// A row in the memory, in eight bytes.
private struct RememberedRow {
  // 35 bits of the hash, 24 bits of the index, five flags. A change is missed if both values have
  // the same 35 bits: once in 3e10 changes.
  private var bits: UInt64

  private static let hashMask: UInt64 = ~0 << 29
  private static let indexMask: UInt64 = 0xFF_FFFF << 5
  private static let noIndex: UInt64 = 0xFF_FFFF
  /// The number of indexes.
  static let indexLimit = Int(noIndex)

  init(hash: Int, index: Int?, pass: Bool) {
    bits = UInt64(bitPattern: Int64(hash)) & Self.hashMask
    self.index = index
    self[.pass] = pass
  }

  func hasHash(_ hash: Int) -> Bool {
    (bits ^ UInt64(bitPattern: Int64(hash))) & Self.hashMask == 0
  }

  /// The index of the row in the view; `nil` if the view does not have it.
  var index: Int? {
    get {
      let index = (bits & Self.indexMask) >> 5
      return index == Self.noIndex ? nil : Int(index)
    }
    set { bits = bits & ~Self.indexMask | (newValue.map(UInt64.init) ?? Self.noIndex) << 5 }
  }

  /// A fact about a row, by its bit.
  enum Flag: UInt64 {
    /// Which of two passes has read it last.
    case pass = 1
    /// It has changed or appeared since the last pass that has ended.
    case isPending = 2
    /// It has appeared since then.
    case isAdded = 4
    /// It has changed or appeared, and no search has found that.
    case isUnseen = 8
    /// It has appeared, and no search has found that.
    case isNew = 16
  }

  subscript(flag: Flag) -> Bool {
    get { bits & flag.rawValue != 0 }
    set { if newValue { bits |= flag.rawValue } else { bits &= ~flag.rawValue } }
  }
}
