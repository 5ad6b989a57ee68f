internal import CWellspringSQLite
internal import WellspringPlatform

/// The result of an aggregate query, with what is needed to patch it: see ``AggregateQuery``.
///
/// Each row that is grouped is known with its group and its arguments. So what a changed row was
/// before is known, and what it is now is looked up. Groups and sums are compared with those of
/// SQLite once, when the query has run: a collation for which different texts are equal, or values
/// that are no integers, show then.
struct AggregateResult<Element>: @unchecked Sendable {
  typealias Decode = (Row) throws -> Element

  /// What a patch has found.
  struct Patch {
    let difference: GroupedRows.Difference
    let elements: [Element]

    var rows: RowPatch { difference.patch }
  }

  private let query: AggregateQuery
  let plan: PatchPlan
  /// The values of the query's parameters.
  let arguments: [DatabaseValue]
  let rows: GroupedRows
  /// The query for an element, with its columns as parameters.
  private let elementSQL: String
  private(set) var elements: [Element]

  /// Runs the whole query; `nil` when its value can only be fetched.
  ///
  /// - Throws: ``PatchObstacle`` when it cannot be patched.
  init?(
    _ query: AggregateQuery,
    _ statement: Statement,
    _ db: Database,
    adapter: (any RowAdapter)?,
    _ decode: Decode
  ) throws {
    self.query = query
    let rowsStatement = try Self.rows(of: query, statement)
    plan = try PatchAnalysis.plan(for: rowsStatement, .count)
    arguments = rowsStatement.boundValues.map { $0 ?? .null }
    let columns = statement.columnNames.enumerated().map { index, name in
      "?\(index + 1) AS \(name.quotedDatabaseIdentifier)"
    }
    elementSQL = "SELECT \(columns.joined(separator: ", "))"

    let wholeSQL = plan.wholeSQL
    var grouping = try Grouping(query)
    let (found, recorder) = db.recordingRegion { [plan, arguments] in
      var joined = JoinedPartners(plan.source)
      let numbers = try RowNumbers.number(wholeSQL, plan.source, arguments, db) {
        try grouping.append($1, $0)
        joined.set($1, plan.source, $0)
      }
      return (numbers, joined)
    }
    let (numbers, joined) = try found.get()
    // A function made in Swift may have run further statements.
    guard recorder.statements == [wholeSQL] else { return nil }

    let (elements, order) = try Self.elements(
      of: statement,
      db,
      adapter: adapter,
      decode,
      query,
      grouping
    )
    self.elements = elements
    grouping.rows.sort()
    rows = GroupedRows(
      query,
      grouping.rows,
      numbers,
      joined,
      keys: grouping.keys,
      groups: grouping.groups,
      order: order,
      comparesBytes: try Self.comparesBytes(statement, plan, db)
    )
  }

  /// Returns whether SQLite compares all texts of a query by their bytes.
  private static func comparesBytes(
    _ statement: Statement,
    _ plan: PatchPlan,
    _ db: Database
  ) throws -> Bool {
    guard !statement.sql.asciiLowercased.contains("collate") else { return false }
    return try db.withoutRegionRecorder {
      let encoding = try String.fetchOne(db, sql: "PRAGMA main.encoding")
      let schema = try db.currentRegionSchema()
      let columns = plan.tables.union(plan.others).map { ($0, schema.tables[$0]?.columns ?? []) }
      return encoding == "UTF-8"
        && columns.allSatisfy { table, columns in
          columns.allSatisfy { db.isBinary($0.name, in: table) }
        }
    }
  }

  /// Returns the query for the rows that are grouped.
  private static func rows(of query: AggregateQuery, _ statement: Statement) throws -> Statement {
    let db = statement.database
    return try db.withoutRegionRecorder {
      for function in query.functions {
        let isReplaced = try Bool.fetchOne(
          db,
          sql: """
            SELECT EXISTS (
              SELECT * FROM pragma_function_list WHERE upper(name) = ? AND NOT builtin
            )
            """,
          arguments: [function.rawValue]
        )
        guard isReplaced == false else {
          throw PatchObstacle.callsFunction(function.rawValue.asciiLowercased)
        }
      }
      guard statement.columnCount == query.columns.count else { throw PatchObstacle.groupsRows }
      if query.isSingleExtreme, try isLookedUp(statement, db) { throw PatchObstacle.looksUpRows }
      let rows: Statement
      do {
        // A name in double quotes that is not known must not count as a string.
        rows = try db.withoutQuotedStrings { try db.makeStatement(sql: query.rowsSQL) }
      } catch is DatabaseError {
        throw PatchObstacle.cannotBeCompiled
      }
      guard rows.parameterCount == statement.parameterCount else {
        throw PatchObstacle.hasUnknownParameters
      }
      let values = statement.boundValues.map { $0 ?? .null }
      try rows.setArguments(StatementArguments(values: values, namedValues: [:]))
      return rows
    }
  }

  /// Returns whether SQLite goes to one end of an index, which takes less than to know all rows: it
  /// leaves the loop after its first row.
  private static func isLookedUp(_ statement: Statement, _ db: Database) throws -> Bool {
    let values = statement.boundValues.map { $0 ?? .null }
    let arguments = StatementArguments(values: values, namedValues: [:])
    let opcodes = try ExplainedProgram(explaining: statement.sql, arguments: arguments, db)
      .instructions.map(\.opcode)
    return zip(opcodes, opcodes.dropFirst()).contains {
      $0 == "Goto" && ["Next", "Prev"].contains($1)
    }
  }

  /// Returns the plan for the rows of a query.
  static func plan(for query: AggregateQuery, _ statement: Statement) throws -> PatchPlan {
    try PatchAnalysis.plan(for: rows(of: query, statement), .count)
  }

  /// Runs the query itself, and compares its rows with the groups.
  ///
  /// - Returns: The elements, and the groups of their rows.
  /// - Throws: ``PatchObstacle`` when SQLite has found other groups or values.
  private static func elements(
    of statement: Statement,
    _ db: Database,
    adapter: (any RowAdapter)?,
    _ decode: Decode,
    _ query: AggregateQuery,
    _ grouping: Grouping
  ) throws -> (elements: [Element], order: [Int32]) {
    var elements: [Element] = []
    var order: [Int32] = []
    var seen: Set<Int32> = []
    defer { statement.reset() }
    guard try statement.firstStep() else {
      guard grouping.groups.isEmpty else { throw PatchObstacle.aggregatesOtherValues }
      return ([], [])
    }
    let row = try Row.live(in: statement, adapter)
    repeat {
      let values = query.columns.indices.map {
        AggregateValue(statement.sqliteStatement, column: Int32($0))
      }
      guard let group = grouping.group(values), seen.insert(group).inserted else {
        throw PatchObstacle.aggregatesOtherValues
      }
      order.append(group)
      row.rewind()
      elements.append(try decode(row))
    } while try statement.step()
    guard order.count == grouping.groups.count else { throw PatchObstacle.aggregatesOtherValues }
    return (elements, order)
  }

  /// Replaces the elements by equal ones.
  mutating func share(_ equal: [Element]) {
    if equal.count == elements.count { elements = equal }
  }

  // MARK: Patches

  /// Patches the elements. The rows are those of before until ``GroupedRows/apply(_:)``.
  ///
  /// - Parameters:
  ///   - changed: All rows of its tables that have changed since the result was current.
  ///   - db: A snapshot in which no other row has changed.
  ///   - adapter: The adapter of the query's rows.
  ///   - decode: Makes an element of a row.
  /// - Returns: What has changed; `nil` when the whole query must run.
  /// - Throws: Any error, after which the whole query must run.
  mutating func patch(
    changed: ChangedRows,
    _ db: Database,
    adapter: (any RowAdapter)?,
    _ decode: Decode
  ) throws -> Patch? {
    let numbers = rows.numbers
    let touched = try plan.rows(
      touchedBy: changed,
      numbers,
      arguments,
      db,
      held: rows.rows(joinedWith:_:)
    )
    guard let touched, let present = try lookUp(touched, numbers, db),
      let difference = rows.difference(of: touched, present: present.rows, present.joined)
    else { return nil }
    var arrivals: [Element] = []
    for group in rows.arrivals(of: difference) {
      guard let element = try element(of: group, db, adapter, decode) else { return nil }
      arrivals.append(element)
    }
    guard arrivals.count == difference.patch.arrived.count else { return nil }
    difference.patch.apply(to: &elements, arrivals)
    return Patch(difference: difference, elements: elements)
  }

  /// Looks up what rows are now; `nil` when they are too many, or one belongs to a new group or has
  /// a value that is no integer.
  private func lookUp(
    _ touched: Set<Int64>,
    _ numbers: RowNumbers,
    _ db: Database
  ) throws -> (rows: [Int64: GroupedRows.Row], joined: JoinedPartners)? {
    guard let size = PatchPlan.lookupSizes.first(where: { $0 >= touched.count }) else { return nil }
    var found: [Int64: GroupedRows.Row] = [:]
    var joined = JoinedPartners(plan.source)
    var isKnown = true
    try numbers.lookUp(touched, plan.changedSQL(count: size), size: size, arguments, db) {
      let values = query.values($0)
      guard let group = rows.group(values.key), let arguments = values.arguments else {
        isKnown = false
        return
      }
      found[$1] = GroupedRows.Row(group: group, arguments: arguments)
      joined.set($1, plan.source, $0)
    }
    return isKnown ? (found, joined) : nil
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

/// The groups of rows while a query runs.
private struct Grouping {
  let query: AggregateQuery
  var rows: PackedRows
  private(set) var keys: [[AggregateValue]: Int32] = [:]
  private(set) var groups: [GroupSummary] = []

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
    rows.append(number, GroupedRows.Row(group: group, arguments: arguments))
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
  fileprivate func values(_ statement: Statement) -> (key: [AggregateValue], arguments: [Int64?]?) {
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

extension Database {
  /// Returns whether a column compares texts by their bytes.
  fileprivate func isBinary(_ column: String, in table: TableName) -> Bool {
    var collation: UnsafePointer<CChar>?
    let code = sqlite3_table_column_metadata(
      sqliteConnection,
      table.schema,
      table.name,
      column,
      nil,
      &collation,
      nil,
      nil,
      nil
    )
    return code == SQLITE_OK && collation.map { String(cString: $0).asciiLowercased } == "binary"
  }
}
