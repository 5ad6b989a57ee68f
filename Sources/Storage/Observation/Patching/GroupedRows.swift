internal import WellspringPlatform

/// The rows that an aggregate query groups, and what is known of each group.
///
/// It is an object, because copying the rows would cost as much as the query.
final class GroupedRows: Sendable {
  /// What a row adds to its group.
  struct Row: Sendable {
    let group: Int32
    /// The values of the query's arguments; `nil` for NULL.
    let arguments: [Int64?]
  }

  /// What a commit changes.
  struct Difference: Sendable {
    /// The numbers of the rows that have changed, come or gone.
    let touched: Set<Int64>
    /// Those of them that are grouped now.
    let present: [Int64: Row]
    /// What these are joined with.
    let joined: JoinedPartners?
    /// The groups whose rows have changed. A group without rows is gone.
    let groups: [Int32: GroupSummary]
    /// The groups in their new order; `nil` if it is the old one.
    let order: [Int32]?
    /// The places of the groups in the result, and how they change.
    let patch: RowPatch
  }

  private struct State {
    var rows: PackedRows
    var numbers: RowNumbers
    var joined: JoinedPartners
    var keys: [[AggregateValue]: Int32]
    var groups: [GroupSummary]
    /// The groups in the order of the result.
    var order: [Int32]
    /// The place of each group in the result.
    var places: [Int]
  }

  private let query: AggregateQuery
  /// Whether SQLite compares the texts among the keys by their bytes.
  private let comparesBytes: Bool
  // Guards the rows and groups. One run at a time uses them.
  private let state: Lock<State>

  /// - Parameters:
  ///   - query: The query.
  ///   - rows: The rows.
  ///   - numbers: What their numbers stand for.
  ///   - joined: The rows with which they are joined.
  ///   - keys: The groups, by their keys.
  ///   - groups: What is known of them.
  ///   - order: The groups in the order of the result.
  ///   - comparesBytes: Whether SQLite compares the texts among the keys by their bytes.
  init(
    _ query: AggregateQuery,
    _ rows: PackedRows,
    _ numbers: RowNumbers,
    _ joined: JoinedPartners,
    keys: [[AggregateValue]: Int32],
    groups: [GroupSummary],
    order: [Int32],
    comparesBytes: Bool
  ) {
    self.query = query
    self.comparesBytes = comparesBytes
    state = Lock(
      State(
        rows: rows,
        numbers: numbers,
        joined: joined,
        keys: keys,
        groups: groups,
        order: order,
        places: Self.places(order, count: groups.count)
      )
    )
  }

  private static func places(_ order: [Int32], count: Int) -> [Int] {
    var places = Array(repeating: 0, count: count)
    for (place, group) in order.enumerated() { places[Int(group)] = place }
    return places
  }

  var numbers: RowNumbers { state.withLock { $0.numbers } }

  /// The bytes that the rows and groups take, about.
  var memory: Int {
    let (bytes, numbers) = state.withLock { state in
      let groups = state.groups.reduce(0) { $0 + $1.memory }
      return (state.rows.memory + state.joined.memory + groups, state.numbers)
    }
    return bytes + numbers.memory
  }

  /// Returns the group with a key; `nil` for an unknown key.
  func group(_ key: [AggregateValue]) -> Int32? {
    state.withLock { state in
      state.keys[key].flatMap { isShown(state.groups[Int($0)]) ? $0 : nil }
    }
  }

  /// Whether two states of a group differ in some columns, or only one of them is in the result.
  private func differs(
    _ left: GroupSummary,
    _ right: GroupSummary,
    in columns: some Sequence<AggregateQuery.Column>
  ) -> Bool {
    isShown(left) != isShown(right)
      || columns.contains { left.value(of: $0) != right.value(of: $0) }
  }

  /// Whether a group is in the result.
  private func isShown(_ group: GroupSummary) -> Bool { group.count > 0 || !query.isGrouped }

  /// Returns the rows that are joined with some rows of another table.
  func rows(joinedWith rows: Set<Int64>, _ partner: Int) -> [Int64] {
    state.withLock { $0.joined.rows(with: rows, partner) }
  }

  /// Returns what changed rows change.
  ///
  /// - Parameters:
  ///   - touched: The numbers of the rows that have changed, come or gone.
  ///   - present: Those of them that are grouped now.
  ///   - joined: What these are joined with.
  /// - Returns: The difference; `nil` when the query must run, because a sum is too large, or the
  ///   order of groups is not known.
  func difference(
    of touched: Set<Int64>,
    present: [Int64: Row],
    _ joined: JoinedPartners?
  ) -> Difference? {
    state.withLock { state in
      guard let groups = summaries(state, touched, present) else { return nil }
      let changed = groups.filter { differs($1, state.groups[Int($0)], in: query.columns) }
      guard let order = order(state, changed) else { return nil }
      let patch = patch(state, changed, order)
      return Difference(
        touched: touched,
        present: present,
        joined: joined,
        groups: groups,
        order: order == state.order ? nil : order,
        patch: patch
      )
    }
  }

  /// Returns the new summaries of the groups that rows leave or join.
  private func summaries(
    _ state: State,
    _ touched: Set<Int64>,
    _ present: [Int64: Row]
  ) -> [Int32: GroupSummary]? {
    var groups: [Int32: GroupSummary] = [:]
    func change(_ group: Int32, _ body: (inout GroupSummary) -> Bool) -> Bool {
      body(&groups[group, default: state.groups[Int(group)]])
    }
    for number in touched {
      guard let row = state.rows.row(number) else { continue }
      _ = change(row.group) {
        $0.remove(row.arguments, query)
        return true
      }
    }
    for row in present.values {
      guard change(row.group, { $0.add(row.arguments, self.query) }) else { return nil }
    }
    let stale = groups.filter { $1.hasLostExtremes }
    guard !stale.isEmpty, !Fault.isOn(.patchExtreme) else { return groups }
    for group in stale.keys { groups[group]?.beginExtremes() }
    state.rows.forEach(in: Set(stale.keys)) { number, row in
      if !touched.contains(number) { groups[row.group]?.addExtremes(row.arguments) }
    }
    for row in present.values where stale[row.group] != nil {
      groups[row.group]?.addExtremes(row.arguments)
    }
    return groups
  }

  /// Returns the new order of the groups; `nil` if it is not known.
  private func order(_ state: State, _ changed: [Int32: GroupSummary]) -> [Int32]? {
    let leaving = changed.filter { !isShown($1) }
    let moving = changed.filter { group, summary in
      let columns = query.order.lazy.map { self.query.columns[$0.column] }
      return isShown(summary) && differs(summary, state.groups[Int(group)], in: columns)
    }
    guard !leaving.isEmpty || !moving.isEmpty else { return state.order }
    var order = state.order.filter { leaving[$0] == nil && moving[$0] == nil }
    func summary(_ group: Int32) -> GroupSummary { changed[group] ?? state.groups[Int(group)] }
    for group in moving.keys.sorted() {
      var range = 0..<order.count
      while !range.isEmpty {
        let middle = (range.lowerBound + range.upperBound) / 2
        // Of groups that are equal in all terms, SQLite's order is not known.
        let isBefore = query.isBefore(
          summary(order[middle]),
          summary(group),
          comparesBytes: comparesBytes
        )
        guard let isBefore else { return nil }
        range = isBefore ? middle + 1..<range.upperBound : range.lowerBound..<middle
      }
      order.insert(group, at: range.lowerBound)
    }
    return order
  }

  private func patch(
    _ state: State,
    _ changed: [Int32: GroupSummary],
    _ order: [Int32]
  ) -> RowPatch {
    guard order == state.order else {
      return RowPatch(
        from: state.order.map(Int64.init),
        to: order.map(Int64.init),
        changed: Set(changed.keys.map(Int64.init))
      )
    }
    let places = changed.keys.map { state.places[Int($0)] }.sorted()
    return RowPatch(
      left: places,
      arrived: places.enumerated().map { ($1, $0) },
      count: order.count
    )
  }

  /// Returns the groups that come to their places by a patch, in their order.
  func arrivals(of difference: Difference) -> [GroupSummary] {
    let order = difference.order ?? state.withLock { $0.order }
    return difference.patch.arrived.compactMap { difference.groups[order[$0.place]] }
  }

  func apply(_ difference: Difference) {
    let (count, numbers) = state.withLock { state in
      state.rows.replace(difference.touched, with: difference.present)
      state.joined.remove(difference.touched)
      if let joined = difference.joined { state.joined.merge(joined) }
      for (group, summary) in difference.groups { state.groups[Int(group)] = summary }
      if let order = difference.order {
        state.order = order
        state.places = Self.places(order, count: state.groups.count)
      }
      return (state.rows.count, state.numbers)
    }
    // The numbers have a lock of their own.
    guard numbers.isSparse(inUse: count) else { return }
    let selected = numbers.selecting(state.withLock { $0.rows.numbers })
    state.withLock { state in
      state.numbers = selected
      state.rows.renumber()
    }
  }
}

extension AggregateQuery {
  /// Returns whether a group comes before another one; `nil` if that is not known.
  ///
  /// - Parameters:
  ///   - left: The group.
  ///   - right: The other group.
  ///   - comparesBytes: Whether texts are compared by their bytes. Otherwise, their order is not
  ///     known.
  /// - Returns: The answer; `nil` if it is not known, or if the groups are equal in all terms.
  fileprivate func isBefore(
    _ left: GroupSummary,
    _ right: GroupSummary,
    comparesBytes: Bool
  ) -> Bool? {
    for term in order {
      let (first, second) = (
        left.value(of: columns[term.column]), right.value(of: columns[term.column])
      )
      if first == second { continue }
      switch (first, second) {
      case (.null, _): return term.isNullFirst
      case (_, .null): return !term.isNullFirst
      case (.integer(let first), .integer(let second)):
        return term.isDescending ? first > second : first < second
      case (.real(let first), .real(let second)):
        return term.isDescending ? first > second : first < second
      case (.text(let first), .text(let second)):
        guard comparesBytes else { return nil }
        let isBefore = first.lexicographicallyPrecedes(second)
        return term.isDescending ? !isBefore : isBefore
      default: return nil
      }
    }
    return nil
  }
}
