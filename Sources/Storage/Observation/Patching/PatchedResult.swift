internal import WellspringSystem

/// A result of a query, with the data that patches need.
///
/// It can be sent to another thread if its elements can: those of a closure are values.
struct PatchedResult<Element>: @unchecked Sendable {
  /// Makes an element of a row.
  typealias Decode = (Row) throws -> Element

  let plan: PatchPlan
  /// The values of the query's parameters.
  let arguments: [DatabaseValue]
  /// The known rows: the rows of the result, the rows before its offset, and some rows after it.
  private(set) var order: RowOrder
  /// The keys that the numbers of the rows represent.
  private var numbers: RowNumbers
  /// The rows with which the known rows are joined.
  private var joined: JoinedRows
  /// The result.
  var elements: [Element]
  /// Identifies this version of the elements.
  private var version = SpareElements<Element>.Version()
  /// The elements before, if they are kept.
  private let spare = SpareElements<Element>()

  /// The bytes that are held beside the elements.
  var memory: Int { order.memory + numbers.memory + joined.memory }

  // MARK: The whole query

  /// Runs the whole query.
  init(
    _ plan: PatchPlan,
    _ arguments: [DatabaseValue],
    _ db: Database,
    _ form: RowForm,
    _ decode: @escaping Decode
  ) throws {
    self.plan = plan
    self.arguments = arguments
    let window = plan.window
    let capacity = window?.capacity
    var ids: [Int64] = []
    var elements = RowElements(form, db, decode)
    let limit = capacity.map { [DatabaseValue(storage: .int64(Int64($0)))] } ?? []
    var joined = JoinedRows(plan.source)
    var found: RowNumbers?
    self.elements = try elements.collect { elements in
      found = try RowNumbers.number(plan.wholeSQL, plan.source, arguments + limit, db) {
        if window.map({ $0.contains(ids.count) }) ?? true { try elements.append($0) }
        ids.append($1)
        try joined.append($0)
      }
    }
    guard let found else { throw LostRow() }
    numbers = found
    self.joined = joined
    // Keys take memory beside the numbers, so no more of them are kept than needed.
    if numbers.areSmall { ids = Array(ids[...]) }
    order = RowOrder(ids, capacity: capacity)
  }

  // MARK: Patches

  mutating func patch(
    changed: ChangedRows,
    _ db: Database,
    _ form: RowForm,
    _ decode: @escaping Decode
  ) throws -> RowPatch? {
    defer { forgetRows() }
    let before = order
    guard let (patch, fetched) = try patchRows(changed: changed, db, form, decode) else {
      return nil
    }
    guard let window = plan.window else {
      spare.apply(patch, fetched.elements, to: &elements, &version)
      return patch
    }
    let size = window.indexes(in: order.ids.count).count
    if window.offset == 0, let patch = patch.first(size, of: elements.count) {
      patch.apply(to: &elements, fetched.elements)
      return patch
    }
    return try move(window, before, fetched, db, form, decode)
  }

  /// How many rows are known.
  var rowCount: Int { order.ids.count }

  /// Gives the elements away: from now on, they are kept and patched elsewhere.
  mutating func takeElements() -> [Element] {
    defer { elements = [] }
    return elements
  }

  /// Patches all but the elements, of a result without a window.
  ///
  /// - Parameters:
  ///   - changed: All rows of its tables that have changed since the result was current.
  ///   - db: A snapshot in which no other row has changed.
  ///   - form: The form of the rows from which elements are made.
  ///   - decode: Makes an element of a row.
  /// - Returns: How the elements change, and the elements of the rows that come; `nil` when the
  ///   whole query must run.
  /// - Throws: Any error, after which the whole query must run.
  mutating func patchOrder(
    changed: ChangedRows,
    _ db: Database,
    _ form: RowForm,
    _ decode: @escaping Decode
  ) throws -> (patch: RowPatch, elements: [Element])? {
    defer { forgetRows() }
    return try patchRows(changed: changed, db, form, decode).map { ($0, $1.elements) }
  }

  /// Patches the order of the rows, and their joined rows.
  private mutating func patchRows(
    changed: ChangedRows,
    _ db: Database,
    _ form: RowForm,
    _ decode: @escaping Decode
  ) throws -> (patch: RowPatch, fetched: Fetched)? {
    let touched = try plan.rows(touchedBy: changed, numbers, arguments, db) { [order, joined] in
      joined.indexes(of: $0, $1).map { order.ids[$0] }
    }
    guard let changed = touched else { return nil }
    let neighbours = plan.window == nil ? [] : order.neighbours(of: changed)
    guard let fetched = try fetch(changed, among: neighbours, db, form, decode) else {
      return nil
    }
    let found = try order.patch(changed: changed, present: fetched.ids) { ids in
      // The rows of a window were looked up together with their neighbours.
      if !neighbours.isEmpty, ids.dropFirst() == neighbours[...] { return fetched.order }
      return try sort(ids, db)
    }
    guard let patch = found else { return nil }
    order.apply(patch, fetched.ids)
    joined.apply(patch, fetched.joined)
    return (patch, fetched)
  }

  /// Rows that were looked up.
  private typealias Fetched = (
    ids: [Int64], elements: [Element], joined: JoinedRows, order: [Int64]
  )

  /// Fetches rows that have changed; `nil` when there are too many. The neighbours are put in order
  /// with them, and not decoded.
  private func fetch(
    _ changed: Set<Int64>,
    among neighbours: [Int64] = [],
    _ db: Database,
    _ form: RowForm,
    _ decode: @escaping Decode
  ) throws -> Fetched? {
    let last = changed.first
    let changed =
      Fault.isOn(.patchLostRow) && changed.count > 1 ? changed.filter { $0 != last } : changed
    let wanted = neighbours + changed
    guard let size = PatchPlan.lookupSizes.first(where: { $0 >= wanted.count }) else { return nil }
    var fetched: Fetched = ([], [], JoinedRows(plan.source), [])
    var elements = RowElements(form, db, decode)
    fetched.elements = try elements.collect { elements in
      try numbers.lookUp(wanted, plan.changedSQL(count: size), size: size, arguments, db) {
        fetched.order.append($1)
        guard changed.contains($1) else { return }
        try elements.append($0)
        fetched.ids.append($1)
        try fetched.joined.append($0)
      }
      guard fetched.order.count == fetched.ids.count + neighbours.count else { throw LostRow() }
    }
    return fetched
  }

  /// Returns rows in their order.
  private func sort(_ ids: [Int64], _ db: Database) throws -> [Int64] {
    let size = PatchPlan.sortSizes.first { $0 >= ids.count } ?? ids.count
    var sorted: [Int64] = []
    try numbers.lookUp(ids, plan.sortSQL(count: size), size: size, arguments, db) {
      sorted.append($1)
    }
    guard sorted.count == ids.count else { throw LostRow() }
    return sorted
  }

  /// Drops the keys of rows that are no longer in the result.
  private mutating func forgetRows() {
    guard numbers.isSparse(inUse: order.ids.count) else { return }
    numbers = numbers.selecting(order.ids)
    order.renumber()
  }

  /// Makes the elements of a window into which known rows have come that have not changed.
  private mutating func move(
    _ window: PatchPlan.Window,
    _ before: RowOrder,
    _ fetched: Fetched,
    _ db: Database,
    _ form: RowForm,
    _ decode: @escaping Decode
  ) throws -> RowPatch? {
    let old = Array(before.ids[window.indexes(in: before.ids.count)])
    let new = Array(order.ids[window.indexes(in: order.ids.count)])
    let oldIndexes = Dictionary(zip(old, old.indices)) { first, _ in first }
    var rows = Dictionary(zip(fetched.ids, fetched.elements)) { first, _ in first }
    // A damaged file may have a row twice.
    guard oldIndexes.count == old.count, rows.count == fetched.ids.count else { return nil }
    let missing = Set(new.filter { oldIndexes[$0] == nil && rows[$0] == nil })
    if !missing.isEmpty {
      // Rows that have not changed, and have come into the window.
      guard let more = try fetch(missing, db, form, decode), more.ids.count == missing.count
      else { return nil }
      for (id, element) in zip(more.ids, more.elements) { rows[id] = element }
    }
    let changed = Set(fetched.ids)
    let patch = RowPatch(from: old, to: new, changed: changed.union(missing))
    let arrivals = patch.arrived.compactMap { rows[new[$0.index]] }
    guard arrivals.count == patch.arrived.count else { return nil }
    patch.apply(to: &elements, arrivals)
    return patch
  }
}

extension PatchedResult: PatchedRows {
  var inputs: PatchInputs { plan.inputs }
}

/// A result with elements that can be patched.
protocol PatchedElements<Element>: Sendable {
  associatedtype Element

  var elements: [Element] { get set }
  /// The data of each commit that the next patch needs.
  var inputs: PatchInputs { get }
}

/// A result whose elements are made of the rows of queries.
protocol PatchedRows<Element>: PatchedElements {
  /// Patches the result.
  ///
  /// - Parameters:
  ///   - changed: All rows of its tables that have changed since the result was current.
  ///   - db: A snapshot in which no other row has changed.
  ///   - form: The form of the rows from which elements are made.
  ///   - decode: Makes an element of a row.
  /// - Returns: Which elements have changed; `nil` when the whole query must run.
  /// - Throws: Any error, after which the whole query must run.
  mutating func patch(
    changed: ChangedRows,
    _ db: Database,
    _ form: RowForm,
    _ decode: @escaping (Row) throws -> Element
  ) throws -> RowPatch?
}

extension PatchedElements {
  /// Replaces the elements by equal ones.
  mutating func share(_ equal: [Element]) {
    if equal.count == elements.count { elements = equal }
  }
}
