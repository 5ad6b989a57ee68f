internal import WellspringSystem

/// The rows that an aggregate query groups, and the summary of each group.
///
/// It is an object, because copying the rows would cost as much as the query.
final class GroupedRows: Sendable {
  /// The contribution of a row to its group.
  struct Row: Sendable {
    let group: Int32
    /// The values of the query's arguments; `nil` for NULL.
    let arguments: [Int64?]
  }

  /// The changes of the rows and groups by a commit.
  struct Difference: Sendable {
    /// The numbers of the rows that have changed, come or gone.
    let touched: Set<Int64>
    /// The touched rows that are grouped now.
    let present: [Int64: Row]
    /// The rows that are joined with these.
    let joined: JoinedPartners?
    /// The groups whose rows have changed. A group without rows is gone. New ones have the numbers
    /// that follow.
    let groups: [Int32: GroupSummary]
    /// The groups in their new order; `nil` if it is the old one.
    let order: [Int32]?
    /// The groups that come into the result, in their order.
    let arrivals: [GroupSummary]
    /// The patch for the groups of the result.
    let patch: RowPatch
  }

  private struct State {
    var rows: PackedRows
    var numbers: RowNumbers
    var joined: JoinedPartners
    var keys: [[AggregateValue]: Int32]
    var groups: [GroupSummary]
    /// How many of them have lost all of their rows.
    var goneCount = 0
    /// The groups in the order of the result, also those outside of its window.
    var order: [Int32]
    /// The position of each group in that order.
    var positions: [Int]

    /// Returns the former summary of a group; `nil` for a new group.
    func former(_ group: Int32) -> GroupSummary? {
      Int(group) < groups.count ? groups[Int(group)] : nil
    }
  }

  private let query: AggregateQuery
  private let order: GroupOrder
  /// The window of the query.
  private let window: PatchPlan.Window?
  // Guards the rows and groups. One run at a time uses them.
  private let state: Lock<State>

  /// - Parameters:
  ///   - query: The query.
  ///   - grouping: The groups and their rows.
  ///   - numbers: The keys that the numbers of the rows represent.
  ///   - joined: The rows with which they are joined.
  ///   - shown: The groups in the order of the result, also those outside of its window.
  ///   - order: How groups are ordered.
  ///   - window: The window of the query.
  init(
    _ query: AggregateQuery,
    _ grouping: RowGrouping,
    _ numbers: RowNumbers,
    _ joined: JoinedPartners,
    shown: [Int32],
    _ order: GroupOrder,
    _ window: PatchPlan.Window?
  ) {
    self.query = query
    self.order = order
    self.window = window
    state = Lock(
      State(
        rows: grouping.rows,
        numbers: numbers,
        joined: joined,
        keys: grouping.keys,
        groups: grouping.groups,
        order: shown,
        positions: Self.positions(shown, count: grouping.groups.count)
      )
    )
  }

  private static func positions(_ order: [Int32], count: Int) -> [Int] {
    var positions = Array(repeating: 0, count: count)
    for (position, group) in order.enumerated() { positions[Int(group)] = position }
    return positions
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

  /// So many groups may have lost their rows, beside half of all.
  private static let maximumGone = 1000

  /// Finds the groups of keys.
  ///
  /// - Parameter keys: The keys.
  /// - Returns: The groups, with the numbers that follow for new ones; `nil` when the position of
  ///   one is not known.
  func groups(_ keys: Set<[AggregateValue]>) -> [[AggregateValue]: Int32]? {
    state.withLock { state in
      var groups: [[AggregateValue]: Int32] = [:]
      var next = state.groups.count
      guard state.goneCount < Self.maximumGone + state.groups.count / 2 else { return nil }
      for key in keys {
        if let known = state.keys[key], isShown(state.groups[Int(known)]) {
          groups[key] = known
          continue
        }
        guard order.isExact(key), next < Int32.max else { return nil }
        groups[key] = state.keys[key] ?? Int32(next)
        if state.keys[key] == nil { next += 1 }
      }
      return groups
    }
  }

  /// Whether two states of a group differ in some columns, or only one state is in the result.
  private func differs(
    _ new: GroupSummary,
    _ old: GroupSummary?,
    in columns: some Sequence<AggregateQuery.Column>
  ) -> Bool {
    guard let old else { return isShown(new) }
    return isShown(new) != isShown(old)
      || columns.contains { new.value(of: $0) != old.value(of: $0) }
  }

  /// Whether a group is in the result, or outside of its window.
  private func isShown(_ group: GroupSummary) -> Bool {
    (group.count > 0 || !query.isGrouped) && group.isSelected
  }

  /// Returns the rows that are joined with some rows of another table.
  func rows(joinedWith rows: Set<Int64>, _ partner: Int) -> [Int64] {
    state.withLock { $0.joined.rows(with: rows, partner) }
  }

  /// Returns the new states of the groups that rows leave or join.
  ///
  /// - Parameters:
  ///   - touched: The numbers of the rows that have changed, come or gone.
  ///   - present: The touched rows that are grouped now.
  ///   - keys: The keys of the groups that these belong to.
  /// - Returns: The states; `nil` when the query must run, because a sum is too large.
  func summaries(
    of touched: Set<Int64>,
    present: [Int64: Row],
    _ keys: [[AggregateValue]: Int32]
  ) -> [Int32: GroupSummary]? {
    state.withLock { summaries($0, touched, present, keys) }
  }

  /// Returns the effects of changed rows.
  ///
  /// - Parameters:
  ///   - touched: The numbers of the rows that have changed, come or gone.
  ///   - present: The touched rows that are grouped now.
  ///   - joined: The rows that are joined with these.
  ///   - groups: The new states of the groups.
  /// - Returns: The difference; `nil` when the query must run, because the order of groups is not
  ///   known.
  func difference(
    of touched: Set<Int64>,
    present: [Int64: Row],
    _ joined: JoinedPartners?,
    _ groups: [Int32: GroupSummary]
  ) -> Difference? {
    state.withLock { state in
      // A group may move without a change of its result columns.
      let columns = query.columns + query.order.map(\.column)
      let changed = groups.filter { differs($1, state.former($0), in: columns) }
      guard let order = order(state, groups) else { return nil }
      let (patch, arrivals) = patch(state, changed, order)
      return Difference(
        touched: touched,
        present: present,
        joined: joined,
        groups: groups,
        order: order == state.order ? nil : order,
        arrivals: arrivals.compactMap { groups[$0] ?? state.former($0) },
        patch: patch
      )
    }
  }

  private func summaries(
    _ state: State,
    _ touched: Set<Int64>,
    _ present: [Int64: Row],
    _ keys: [[AggregateValue]: Int32]
  ) -> [Int32: GroupSummary]? {
    var groups: [Int32: GroupSummary] = [:]
    for (key, group) in keys where Int(group) >= state.groups.count {
      groups[group] = GroupSummary(key, argumentCount: query.argumentCount)
    }
    func change(_ group: Int32, _ body: (inout GroupSummary) -> Bool) -> Bool {
      var summary = groups[group] ?? state.groups[Int(group)]
      groups[group] = nil
      defer { groups[group] = summary }
      return body(&summary)
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
    for argument in query.distinctArguments {
      countDistinct(argument, state, touched, present, &groups)
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

  /// Counts the different values of an argument again. A value comes with the first row that has
  /// it, and goes with the last one.
  private func countDistinct(
    _ argument: Int,
    _ state: State,
    _ touched: Set<Int64>,
    _ present: [Int64: Row],
    _ groups: inout [Int32: GroupSummary]
  ) {
    func values(of rows: some Sequence<Row>) -> Set<GroupValue> {
      Set(
        rows.compactMap { row in
          row.arguments[argument].map { GroupValue(group: row.group, value: $0) }
        }
      )
    }
    let before = values(of: touched.lazy.compactMap(state.rows.row))
    let after = values(of: present.values)
    var changed = before.symmetricDifference(after)
    guard !changed.isEmpty else { return }
    if !Fault.isOn(.patchDistinct) {
      changed.subtract(state.rows.values(of: argument, among: changed, without: touched))
    }
    for value in changed {
      groups[value.group]?.addDistinct(before.contains(value) ? -1 : 1, argument: argument)
    }
  }

  /// Returns the new order of the groups; `nil` if it is not known.
  private func order(_ state: State, _ groups: [Int32: GroupSummary]) -> [Int32]? {
    let columns = query.order.map(\.column)
    let leaving = groups.filter { group, summary in
      !isShown(summary) && state.former(group).map(isShown) == true
    }
    let moving = groups.filter { group, summary in
      isShown(summary) && differs(summary, state.former(group), in: columns)
    }
    guard !leaving.isEmpty || !moving.isEmpty else { return state.order }
    var order = state.order.filter { leaving[$0] == nil && moving[$0] == nil }
    for (group, summary) in moving.sorted(by: { $0.key < $1.key }) {
      var range = 0..<order.count
      while !range.isEmpty {
        let middle = (range.lowerBound + range.upperBound) / 2
        let other = groups[order[middle]] ?? state.groups[Int(order[middle])]
        guard let isBefore = self.order.isBefore(other, summary) else { return nil }
        range = isBefore ? middle + 1..<range.upperBound : range.lowerBound..<middle
      }
      let isNew = state.former(group) == nil && Fault.isOn(.patchGroupNew)
      order.insert(group, at: isNew ? order.count : range.lowerBound)
    }
    return order
  }

  /// Returns the patch for the result, and the groups that come into it.
  private func patch(
    _ state: State,
    _ changed: [Int32: GroupSummary],
    _ order: [Int32]
  ) -> (RowPatch, arrivals: [Int32]) {
    let shown = indexes(in: order.count)
    guard order == state.order else {
      let (old, new) = (state.order[indexes(in: state.order.count)], order[shown])
      let entering = Fault.isOn(.patchGroupEnd) ? [] : Set(new).subtracting(old)
      let arrived = Set(changed.keys).union(entering)
      let patch = RowPatch(
        from: old.map(Int64.init),
        to: new.map(Int64.init),
        changed: Set(arrived.map(Int64.init))
      )
      return (patch, patch.arrived.map { new[new.startIndex + $0.index] })
    }
    // Groups that stay outside of the result are not patched.
    let positions = changed.keys.filter { isShown(changed[$0]!) }.map { state.positions[Int($0)] }
      .filter(shown.contains).sorted()
    let patch = RowPatch(
      left: positions.map { $0 - shown.lowerBound },
      arrived: positions.enumerated().map { ($1 - shown.lowerBound, $0) },
      count: shown.count
    )
    return (patch, positions.map { order[$0] })
  }

  /// The indexes of the window among a number of groups.
  private func indexes(in count: Int) -> Range<Int> { window?.indexes(in: count) ?? 0..<count }

  func apply(_ difference: Difference) {
    let (count, numbers) = state.withLock { state in
      state.rows.replace(difference.touched, with: difference.present)
      state.joined.remove(difference.touched)
      if let joined = difference.joined { state.joined.merge(joined) }
      for (group, summary) in difference.groups.sorted(by: { $0.key < $1.key }) {
        if let former = state.former(group) {
          state.goneCount += (summary.count == 0 ? 1 : 0) - (former.count == 0 ? 1 : 0)
          state.groups[Int(group)] = summary
        } else {
          state.keys[summary.key] = group
          state.groups.append(summary)
          state.positions.append(0)
        }
      }
      if let order = difference.order {
        state.order = order
        state.positions = Self.positions(order, count: state.groups.count)
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
