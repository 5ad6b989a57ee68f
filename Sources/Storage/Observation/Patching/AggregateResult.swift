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
    var grouping = try RowGrouping(query)
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
      if query.isSingleExtreme, try isLookedUp(statement, db) { throw PatchObstacle.looksUpRows }
      do {
        // A name in double quotes that is not known must not count as a string.
        return try db.withoutQuotedStrings {
          try statement.rows(
            query.rowsSQL,
            of: query.functions.map(\.rawValue.asciiLowercased),
            columnCount: query.columns.count
          )
        }
      } catch is DatabaseError {
        throw PatchObstacle.cannotBeCompiled
      }
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
    _ grouping: RowGrouping
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
  ) throws -> GroupedRows.Difference? {
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
    return difference
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
