internal import WellspringSystem

/// How the groups of a query are ordered: by the `ORDER BY`, then as the groups are found.
struct GroupOrder: Sendable {
  /// A term of the `GROUP BY`, in the order in which groups are found.
  struct Key: Hashable, Sendable {
    /// The index of the term.
    let index: Int
    let isDescending: Bool
  }

  let terms: [AggregateQuery.Term]
  /// How groups are ordered that are equal in all terms; `nil` if that is not known.
  let keys: [Key]?
  /// Whether SQLite compares the texts among the keys by their bytes.
  let comparesBytes: Bool

  /// Returns whether a group comes before another one; `nil` if that is not known.
  func isBefore(_ left: GroupSummary, _ right: GroupSummary) -> Bool? {
    for term in terms {
      let (first, second) = (left.value(of: term.column), right.value(of: term.column))
      if first == second { continue }
      switch (first, second) {
      case (.null, _): return term.isNullFirst
      case (_, .null): return !term.isNullFirst
      default:
        return isLess(first, second).map { $0 != term.isDescending }
      }
    }
    for key in keys ?? [] {
      let (first, second) = (left.key[key.index], right.key[key.index])
      if first == second { continue }
      let isDescending = key.isDescending != Fault.isOn(.patchGroupTie)
      return isLess(first, second).map { $0 != isDescending }
    }
    return nil
  }

  /// Returns whether a value comes before a different value; `nil` if that is not known.
  private func isLess(_ left: AggregateValue, _ right: AggregateValue) -> Bool? {
    switch (left, right) {
    case (.null, _): true
    case (_, .null): false
    case (.integer(let left), .integer(let right)): left < right
    case (.real(let left), .real(let right)): left < right
    case (.integer, .text): true
    case (.text, .integer): false
    case (.text(let left), .text(let right)):
      comparesBytes ? left.lexicographicallyPrecedes(right) : nil
    default: nil
    }
  }

  /// Whether a key is equal only to keys with the same bytes.
  func isExact(_ key: [AggregateValue]) -> Bool {
    key.allSatisfy { value in
      switch value {
      case .null, .integer: true
      case .text: comparesBytes && value.databaseValue != nil
      case .real, .blob: false
      }
    }
  }
}

extension GroupOrder {
  /// Works out the order of a query's groups.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - program: Its program.
  ///   - comparesBytes: Whether SQLite compares the texts among the keys by their bytes.
  init(_ query: AggregateQuery, _ program: ExplainedProgram, comparesBytes: Bool) {
    terms = query.order
    self.comparesBytes = comparesBytes
    // A subquery may have a sorter of its own.
    keys = query.isDistinct || query.hasSubqueries ? nil : Self.keys(query.keyCount, program)
  }

  /// Finds out how a sorter orders the rows that are grouped: by the terms of the `GROUP BY`.
  private static func keys(_ count: Int, _ program: ExplainedProgram) -> [Key]? {
    let instructions = program.instructions
    // The groups are found in a loop over the sorter, which compares each row with the last one.
    guard let start = instructions.firstIndex(where: { $0.opcode == "SorterSort" }),
      let end = instructions[start...].firstIndex(where: {
        $0.opcode == "SorterNext" && $0.p1 == instructions[start].p1
      }),
      instructions[start..<end].contains(where: { $0.opcode == "Compare" }),
      let opening = instructions.first(where: {
        $0.opcode == "SorterOpen" && $0.p1 == instructions[start].p1
      }),
      // `k(2,-B,B)`: the number of the terms, and the collation of each. A sign says that the order
      // is descending.
      let text = opening.keyText, text.hasPrefix("k("), text.hasSuffix(")")
    else { return nil }
    let parts = text.dropFirst(2).dropLast().split(separator: ",", omittingEmptySubsequences: false)
    guard parts.first == "\(count)", parts.count == count + 1 else { return nil }
    var keys: [Key] = []
    for (index, part) in parts.dropFirst().enumerated() {
      guard part == "B" || part == "-B" else { return nil }
      keys.append(Key(index: index, isDescending: part == "-B"))
    }
    return keys
  }
}

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
  /// one is not an integer.
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
