internal import WellspringSystem

extension AggregateResult {
  /// Patches the elements. The rows stay as they were until ``GroupedRows/apply(_:)``.
  ///
  /// - Parameters:
  ///   - changed: All rows of its tables that have changed since the result was current.
  ///   - db: A snapshot in which no other row has changed.
  ///   - adapter: The adapter of the query's rows.
  ///   - decode: Makes an element of a row.
  /// - Returns: The changes; `nil` when the whole query must run.
  /// - Throws: Any error, after which the whole query must run.
  mutating func patch(
    changed: ChangedRows,
    _ db: Database,
    adapter: (any RowAdapter)?,
    _ decode: Decode
  ) throws -> GroupedRows.Difference? {
    let numbers = rows.numbers
    let touched = try plan.rows(
      touchedBy: changed,
      numbers,
      rowArguments,
      db,
      held: rows.rows(joinedWith:_:)
    )
    guard let touched, let present = try lookUp(touched, numbers, db),
      var groups = rows.summaries(of: touched, present: present.rows, present.keys)
    else { return nil }
    if let having = query.having, !Fault.isOn(.patchHaving) {
      for (number, group) in groups {
        groups[number]?.isSelected = try Self.fulfils(having, group, arguments, db)
      }
    }
    guard
      let difference = rows.difference(of: touched, present: present.rows, present.joined, groups)
    else { return nil }
    var arrivals: [Element] = []
    for group in difference.arrivals {
      guard let element = try element(of: group, db, adapter, decode) else { return nil }
      arrivals.append(element)
    }
    guard arrivals.count == difference.patch.arrived.count else { return nil }
    difference.patch.apply(to: &elements, arrivals)
    return difference
  }

  /// The present state of changed rows.
  private struct Present {
    var rows: [Int64: GroupedRows.Row] = [:]
    /// The groups to which they belong.
    var keys: [[AggregateValue]: Int32]
    var joined: JoinedPartners
  }

  /// Looks up the present state of rows; `nil` when they are too many, when a row has a value that
  /// is not an integer, or when a row belongs to a group whose position is not known.
  private func lookUp(
    _ touched: Set<Int64>,
    _ numbers: RowNumbers,
    _ db: Database
  ) throws -> Present? {
    guard let size = PatchPlan.lookupSizes.first(where: { $0 >= touched.count }) else { return nil }
    var found: [Int64: (key: [AggregateValue], arguments: [Int64?])] = [:]
    var joined = JoinedPartners(plan.source)
    var isKnown = true
    try numbers.lookUp(touched, plan.changedSQL(count: size), size: size, rowArguments, db) {
      let values = query.values($0)
      guard let arguments = values.arguments else {
        isKnown = false
        return
      }
      found[$1] = (values.key, arguments)
      try joined.set($1, $0)
    }
    guard isKnown, let keys = rows.groups(Set(found.values.map(\.key))) else { return nil }
    var present = Present(keys: keys, joined: joined)
    for (number, row) in found {
      guard let group = keys[row.key] else { return nil }
      present.rows[number] = GroupedRows.Row(group: group, arguments: row.arguments)
    }
    return present
  }

  /// Makes the element of a group; `nil` if it cannot be made.
  private func element(
    of group: GroupSummary,
    _ db: Database,
    _ adapter: (any RowAdapter)?,
    _ decode: Decode
  ) throws -> Element? {
    var values: [DatabaseValue] = []
    for column in query.columns {
      guard let value = group.value(of: column).databaseValue else { return nil }
      values.append(value)
    }
    let statement = try db.cachedStatement(sql: elementSQL)
    try statement.setArguments(StatementArguments(values: values, namedValues: [:]))
    defer { statement.reset() }
    _ = try statement.firstStep()
    return try decode(Row.live(in: statement, adapter))
  }
}
