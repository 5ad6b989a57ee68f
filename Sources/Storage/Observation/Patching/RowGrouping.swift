/// The groups of rows while a query runs.
struct RowGrouping {
  let query: AggregateQuery
  var rows: PackedRows
  private(set) var keys: [[AggregateValue]: Int32] = [:]
  private(set) var groups: [GroupSummary] = []
  /// The values of the arguments whose different values are counted.
  private var distinctValues: [Int: Set<GroupValue>] = [:]

  init(_ query: AggregateQuery) throws {
    self.query = query
    rows = PackedRows(argumentCount: query.argumentCount)
    if !query.isGrouped { _ = try makeGroup([]) }
  }

  /// Returns the group with a key, which may be a new one.
  private mutating func makeGroup(_ key: [AggregateValue]) throws -> Int32 {
    if let known = keys[key] { return known }
    // Equal reals can differ, and a text that is not in UTF-8 cannot be an argument.
    let isExact = key.allSatisfy { value in
      if case .real = value { return false }
      return value.databaseValue != nil
    }
    guard isExact, groups.count < Int32.max else { throw PatchObstacle.aggregatesOtherValues }
    let group = Int32(groups.count)
    keys[key] = group
    groups.append(GroupSummary(key, argumentCount: query.argumentCount))
    return group
  }

  mutating func append(_ number: Int64, _ statement: Statement) throws {
    let values = query.values(statement)
    let group = try makeGroup(values.key)
    guard let arguments = values.arguments, groups[Int(group)].add(arguments, query) else {
      throw PatchObstacle.aggregatesOtherValues
    }
    for argument in query.distinctArguments {
      guard let value = arguments[argument] else { continue }
      let isNew = distinctValues[argument, default: []].insert(
        GroupValue(group: group, value: value)
      )
      .inserted
      if isNew { groups[Int(group)].addDistinct(1, argument: argument) }
    }
    rows.append(number, GroupedRows.Row(group: group, arguments: arguments))
  }

  /// Marks the groups that fulfil the `HAVING`.
  mutating func select(_ isSelected: (GroupSummary) throws -> Bool) rethrows {
    for index in groups.indices { groups[index].isSelected = try isSelected(groups[index]) }
  }

  /// Returns the group that a row of the query shows; `nil` if none has these values.
  func group(_ values: [AggregateValue]) -> Int32? {
    var key: [AggregateValue?] = Array(repeating: nil, count: query.keyCount)
    for (column, value) in zip(query.columns, values) {
      if case .key(let index) = column { key[index] = value }
    }
    guard let group = keys[key.compactMap(\.self)] else { return nil }
    let isSame = zip(query.columns, values).allSatisfy { groups[Int(group)].value(of: $0) == $1 }
    return isSame ? group : nil
  }
}

extension AggregateQuery {
  /// Reads the key and the arguments of the row at which the query for the rows is; no arguments if
  /// one is no integer.
  func values(_ statement: Statement) -> (key: [AggregateValue], arguments: [Int64?]?) {
    let key = (0..<keyCount).map {
      AggregateValue(statement.sqliteStatement, column: Int32($0))
    }
    var arguments: [Int64?] = []
    for index in 0..<argumentCount {
      switch AggregateValue(statement.sqliteStatement, column: Int32(keyCount + index)) {
      case .null: arguments.append(nil)
      case .integer(let value): arguments.append(value)
      default: return (key, nil)
      }
    }
    return (key, arguments)
  }
}
