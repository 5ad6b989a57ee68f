internal import CWellspringSQLite
internal import FoundationEssentials
internal import WellspringSystem

/// The result of an aggregate query, with the data that patches need: see ``AggregateQuery``.
///
/// Each row that is grouped is known with its group and its arguments. So the former state of a
/// changed row is known, and its present state is looked up. The groups of the result, and their
/// columns, are compared with SQLite's groups once, when the query has run. This finds a collation
/// that treats different texts as equal, and values that are not integers.
struct AggregateResult<Element>: @unchecked Sendable {
  typealias Decode = (Row) throws -> Element

  let query: AggregateQuery
  let plan: PatchPlan
  /// The values of the query's parameters.
  let arguments: [DatabaseValue]
  /// The values of the parameters of the query for the rows.
  let rowArguments: [DatabaseValue]
  let rows: GroupedRows
  /// The query for an element, with its columns as parameters.
  let elementSQL: String
  var elements: [Element]

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
    arguments = statement.boundValues.map { $0 ?? .null }
    rowArguments = rowsStatement.boundValues.map { $0 ?? .null }
    let columns = statement.columnNames.enumerated().map { index, name in
      "?\(index + 1) AS \(name.quotedDatabaseIdentifier)"
    }
    elementSQL = "SELECT \(columns.joined(separator: ", "))"
    let (groupOrder, window) = try Self.order(of: query, statement, db)

    let wholeSQL = plan.wholeSQL
    var grouping = try RowGrouping(query)
    let (found, recorder) = db.recordingRegion { [plan, rowArguments] in
      var joined = JoinedPartners(plan.source)
      let numbers = try RowNumbers.number(wholeSQL, plan.source, rowArguments, db) {
        try grouping.append($1, $0)
        try joined.set($1, $0)
      }
      return (numbers, joined)
    }
    let (numbers, joined) = try found.get()
    // A function made in Swift may have run further statements.
    guard recorder.statements == [wholeSQL] else { return nil }
    // Groups outside of the result are not compared with SQLite's groups.
    guard !query.selectsGroups || grouping.groups.allSatisfy({ groupOrder.isExact($0.key) }) else {
      throw PatchObstacle.aggregatesOtherValues
    }
    if let having = query.having {
      do {
        try grouping.select { [arguments] in try Self.fulfils(having, $0, arguments, db) }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        throw PatchObstacle.cannotBeCompiled
      }
    }

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
      grouping,
      numbers,
      joined,
      shown: try Self.shown(grouping, query, groupOrder, window, found: order),
      groupOrder,
      window
    )
  }

  /// Works out the order of the groups, and the window of the query.
  private static func order(
    of query: AggregateQuery,
    _ statement: Statement,
    _ db: Database
  ) throws -> (GroupOrder, PatchPlan.Window?) {
    try db.unrecorded {
      try checkNames(query, statement, db)
      let values = statement.boundValues.map { $0 ?? .null }
      let program = try ExplainedProgram(
        explaining: statement.sql,
        arguments: StatementArguments(values: values, namedValues: [:]),
        db
      )
      try PatchAnalysis.checkFunctions(of: program, db)
      let order = GroupOrder(
        query,
        program,
        comparesBytes: try comparesBytes(statement, db)
      )
      let window = try query.limit.map { limit in
        try PatchPlan.Window(
          limit: limit,
          offset: query.offset,
          parameterCount: query.parameterCount,
          values,
          db
        )
      }
      return (order, window)
    }
  }

  /// Checks that the names in the `HAVING` are names of result columns.
  private static func checkNames(
    _ query: AggregateQuery,
    _ statement: Statement,
    _ db: Database
  ) throws {
    guard let names = query.having?.names, !names.isEmpty else { return }
    let schema = try db.currentRegionSchema()
    for selected in try SelectText(statement.sql).tables {
      let columns = schema.tables(named: selected.name.asciiLowercased).flatMap(\.columns)
      let all = Set(columns.map(\.name.asciiLowercased)).union(RowIDName.all)
      guard all.isDisjoint(with: names) else { throw PatchObstacle.groupsRows }
    }
  }

  /// Returns all groups that fulfil the `HAVING`, in the order of the query.
  ///
  /// - Parameters:
  ///   - grouping: All groups.
  ///   - query: The query.
  ///   - order: How groups are ordered.
  ///   - window: The window of the query.
  ///   - found: The groups of the result.
  /// - Returns: The groups.
  /// - Throws: ``PatchObstacle`` when SQLite has found other groups.
  private static func shown(
    _ grouping: RowGrouping,
    _ query: AggregateQuery,
    _ order: GroupOrder,
    _ window: PatchPlan.Window?,
    found: [Int32]
  ) throws -> [Int32] {
    let selected = grouping.groups.indices.filter { grouping.groups[$0].isSelected }.map(Int32.init)
    guard let window else {
      guard found.count == selected.count,
        found.allSatisfy({ grouping.groups[Int($0)].isSelected })
      else { throw PatchObstacle.aggregatesOtherValues }
      let summaries = found.map { grouping.groups[Int($0)] }
      let isOrdered = zip(summaries, summaries.dropFirst()).allSatisfy {
        order.isBefore($0, $1) != false
      }
      guard isOrdered else { throw PatchObstacle.readsInUnknownOrder }
      return found
    }
    var isKnown = true
    let sorted = selected.sorted { left, right in
      let (left, right) = (grouping.groups[Int(left)], grouping.groups[Int(right)])
      let isBefore = order.isBefore(left, right)
      if isBefore == nil { isKnown = false }
      return isBefore ?? false
    }
    guard isKnown else { throw PatchObstacle.ordersGroupsByChance }
    guard sorted[window.indexes(in: sorted.count)].elementsEqual(found) else {
      throw PatchObstacle.aggregatesOtherValues
    }
    return sorted
  }

  /// Returns whether a group fulfils the `HAVING`.
  static func fulfils(
    _ having: AggregateQuery.Having,
    _ group: GroupSummary,
    _ arguments: [DatabaseValue],
    _ db: Database
  ) throws -> Bool {
    try db.unrecorded {
      let values = try having.columns.map { column in
        guard let value = group.value(of: column).databaseValue else {
          throw PatchObstacle.aggregatesOtherValues
        }
        return value
      }
      let statement = try db.cachedStatement(sql: having.sql)
      try statement.setArguments(
        StatementArguments(values: arguments + values, namedValues: [:])
      )
      defer { statement.reset() }
      _ = try statement.firstStep()
      return sqlite3_column_int64(statement.sqliteStatement, 0) != 0
    }
  }

  /// Returns whether SQLite compares all texts of a query by their bytes.
  private static func comparesBytes(_ statement: Statement, _ db: Database) throws -> Bool {
    guard !statement.sql.asciiLowercased.contains("collate") else { return false }
    return try db.unrecorded {
      let encoding = try String.fetchOne(db, sql: "PRAGMA main.encoding")
      return encoding == "UTF-8"
        && statement.effects.reads.allSatisfy { table, columns in
          columns.allSatisfy { db.isBinary($0.name, in: table) }
        }
    }
  }

  /// Returns the query for the rows that are grouped.
  private static func rows(of query: AggregateQuery, _ statement: Statement) throws -> Statement {
    let db = statement.database
    return try db.unrecorded {
      if query.isSingleExtreme, try isLookedUp(statement, db) { throw PatchObstacle.looksUpRows }
      do {
        // A name in double quotes that is not known must not count as a string.
        return try db.withoutQuotedStrings {
          try statement.rows(
            query.rowsSQL,
            of: Set(query.functions.map(\.name)),
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
    let plan = try PatchAnalysis.plan(for: rows(of: query, statement), .count)
    _ = try order(of: query, statement, statement.database)
    return plan
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
    return (elements, order)
  }
}

extension AggregateResult: PatchedElements {
  var inputs: PatchInputs { plan.inputs }
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

/// A value of an aggregate query, byte for byte as SQLite has it: some texts are equal for Swift
/// and differ for SQLite.
enum AggregateValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  case blob([UInt8])

  /// Reads a column of the row at which a statement is.
  init(_ statement: OpaquePointer, column: Int32) {
    func bytes(_ start: UnsafeRawPointer?) -> [UInt8] {
      let count = Int(sqlite3_column_bytes(statement, column))
      return start.map { [UInt8](UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
    }
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: self = .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT: self = .text(bytes(sqlite3_column_text(statement, column)))
    case SQLITE_BLOB: self = .blob(bytes(sqlite3_column_blob(statement, column)))
    default: self = .null
    }
  }

  /// The value as an argument of a statement; `nil` if it would be another one there, because it is
  /// a text that is not in UTF-8.
  var databaseValue: DatabaseValue? {
    switch self {
    case .null: .null
    case .integer(let value): DatabaseValue(storage: .int64(value))
    case .real(let value): DatabaseValue(storage: .double(value))
    case .text(let bytes): String(validating: bytes, as: UTF8.self)?.databaseValue
    case .blob(let bytes): Data(bytes).databaseValue
    }
  }

  /// The bytes that it takes beside its slot.
  var memory: Int {
    switch self {
    case .null, .integer, .real: 16
    case .text(let bytes), .blob(let bytes): 48 + bytes.count
    }
  }
}
