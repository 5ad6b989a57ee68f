/// An SQL statement under construction: its text, and the values to bind.
///
/// Every part of a statement writes itself into a context, from left to right.
struct SQLContext {
  /// How values enter a statement.
  enum Values: Hashable {
    /// As arguments of `?`.
    case bound
    /// As literals in the text: SQLite takes no arguments in a definition, such as a `DEFAULT`.
    case literal
  }

  /// Whether SQLite takes a `LIMIT` in updates and deletions: it depends on how SQLite was
  /// compiled.
  static var limitsUpdates: Bool { CompileOption.updateDeleteLimit.isPresent }

  private(set) var sql = ""
  private var positional: [DatabaseValue] = []
  private var named: [String: DatabaseValue] = [:]

  /// The connection whose schema completes the text, for example with the columns of a table.
  /// Without one, the text is for display only.
  let db: Database?
  let values: Values

  /// The tables that expressions can refer to. The tables of the innermost statement are last.
  private var sight = TablesInSight()
  /// The table of unqualified columns; `nil` where such a column may belong to any of ``tables``.
  private var owner: TableReference?
  /// The two tables of the association whose condition is being written.
  private var ends: (origin: TableReference, destination: TableReference)?

  /// Whether the clause that is being written sees groups of rows: `WHERE` sees rows.
  private(set) var seesGroups = true

  /// Whether unqualified columns belong to the first of several tables, unless the statement gives
  /// their names to result columns.
  private var ownerIsDefault = false
  /// The names that the statement gives to result columns.
  private var resultNames: [String] = []

  /// The result columns whose expressions take the place of their names.
  private var namedColumns: [SQLSelection] = []
  /// Whether a column of a table hides the name of a result column.
  private var namedColumnsAreHidden = false

  /// The tables that the statement reads, from left to right. When there are several, every column
  /// is written with its table.
  var tables: [TableReference] { sight.tables }

  /// Whether an expression refers to a table that the request reads outside of the statement.
  var refersOutside: Bool { sight.refersOutside }

  @inline(never)
  init(_ db: Database? = nil, values: Values = .bound) {
    self.db = db
    self.values = values
  }

  /// The values to bind, in the order of the text.
  var arguments: StatementArguments {
    StatementArguments(values: positional, namedValues: named)
  }
}

// MARK: - Text and values

extension SQLContext {
  /// Writes SQL text.
  mutating func append(_ text: String) {
    sql += text
  }

  /// Writes a name in quotes.
  mutating func append(identifier: String) {
    sql += identifier.quotedDatabaseIdentifier
  }

  /// Writes the name of a result column: ` AS "name"`.
  mutating func append(alias: String) {
    append(" AS ")
    append(identifier: alias)
  }

  /// Writes a value.
  mutating func append(value: DatabaseValue) {
    switch values {
    case .bound:
      sql += "?"
      positional.append(value)
    case .literal:
      sql += value.sqlLiteral
    }
  }

  /// Writes SQL text with parameters.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when two texts give different values to the
  ///   same named argument, or when the statement takes no arguments.
  mutating func append(_ text: String, arguments: StatementArguments) throws {
    guard values == .bound || arguments.isEmpty else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: "a definition takes no arguments: embed the values in an SQL literal",
        sql: text
      )
    }
    sql += text
    positional += arguments.values
    try named.merge(arguments.namedValues) { old, new in
      guard old == new else {
        throw DatabaseError(
          resultCode: .SQLITE_MISUSE,
          message: "a named argument has two values in one statement: \(old) and \(new)",
          sql: sql
        )
      }
      return new
    }
  }

  /// Writes text before text that is written already.
  ///
  /// - Parameters:
  ///   - text: Text without parameters.
  ///   - offset: A number of bytes.
  mutating func insert(_ text: String, atOffset offset: Int) {
    sql.insert(contentsOf: text, at: sql.utf8.index(sql.startIndex, offsetBy: offset))
  }

  /// Writes a piece of SQL.
  mutating func append(_ template: SQL) throws {
    try append(template, before: [])
  }

  /// Writes a piece of SQL. A request that is embedded looks at the parts behind it.
  private mutating func append(
    _ template: SQL,
    before following: ArraySlice<SQL.Element>
  ) throws {
    sight.enter(template)
    defer { sight.leaveLiteral() }
    let elements = template.elements
    for (index, element) in elements.enumerated() {
      switch element {
      case .subquery(let request):
        try append(request: request, before: elements[(index + 1)...] + following)
      case .expression(let expression):
        guard let raw = expression.part as? RawExpression else { fallthrough }
        try append(raw.sql, before: elements[(index + 1)...] + following)
      default:
        try element.write(to: &self)
      }
    }
  }
}

// MARK: - Columns

extension SQLContext {
  /// Writes an unqualified column, with its table where several tables are read.
  ///
  /// - Throws: ``DatabaseError`` when several tables or no table has the column, or when the name
  ///   is that of an ``UnknownColumn``.
  mutating func append(column: String) throws {
    if let error = UnknownColumn.error(in: column) { throw error }
    if try appendNamedColumn(column, isDetached: false) { return }
    if try isResultName(column) { return append(identifier: column) }
    if let owner {
      guard !owner.name.isEmpty else {
        throw DatabaseError(
          resultCode: .SQLITE_MISUSE,
          message: """
            no table of the request has the alias of the column \(column): give it to a table with \
            aliased(_:)
            """
        )
      }
      append(owner.qualifier)
    } else if tables.count > 1, db != nil {
      append(try table(of: column).qualifier)
    }
    append(identifier: column)
  }

  /// Whether a column is a result column, and not a column of a table. In a statement with one
  /// table, SQLite finds that out by itself.
  private func isResultName(_ column: String) throws -> Bool {
    guard ownerIsDefault, !resultNames.isEmpty else { return false }
    let name = column.asciiLowercased
    guard resultNames.contains(where: { $0.asciiLowercased == name }) else { return false }
    return try !tables.contains { try $0.hasColumn(column, db) }
  }

  /// Writes a name that belongs to no table.
  mutating func append(detached column: String) throws {
    if try !appendNamedColumn(column, isDetached: true) { append(identifier: column) }
  }

  /// Writes the expression of a result column in the place of its name.
  ///
  /// - Returns: Whether the name is that of a result column.
  private mutating func appendNamedColumn(_ name: String, isDetached: Bool) throws -> Bool {
    guard !namedColumns.isEmpty, isDetached || owner == nil || ownerIsDefault else { return false }
    guard let column = namedColumns.first(where: { $0.alias?.isSameName(as: name) == true }) else {
      return false
    }
    // Where several tables are read, their columns are written with the tables.
    if namedColumnsAreHidden || tables.count > 1 && !isDetached {
      guard try !tables.contains(where: { try $0.hasColumn(name, db) }) else { return false }
    }
    try with(namedColumns: [], areHidden: false) { context in
      try context.with(owner: context.tables.count > 1 ? context.tables[0] : nil) {
        try column.writeNamedExpression(to: &$0)
      }
    }
    return true
  }

  /// Writes an expression in which the names of result columns stand for their expressions.
  ///
  /// - Parameters:
  ///   - columns: The result columns.
  ///   - areHidden: Whether a column of a table with the same name comes first.
  ///   - write: A closure that writes the expression.
  mutating func with(
    namedColumns columns: [SQLSelection],
    areHidden: Bool,
    _ write: (inout SQLContext) throws -> Void
  ) rethrows {
    let outer = (namedColumns, namedColumnsAreHidden)
    (namedColumns, namedColumnsAreHidden) = (columns, areHidden)
    defer { (namedColumns, namedColumnsAreHidden) = outer }
    try write(&self)
  }

  /// Whether a result column has the name of a column of the only table.
  func isHidden(_ column: String) -> Bool {
    tables.count == 1 && resultNames.contains { $0.isSameName(as: column) }
  }

  /// Writes the clauses after the selection, which may refer to result columns by their names.
  mutating func with(resultNames: [String], _ write: (inout SQLContext) throws -> Void) rethrows {
    self.resultNames = resultNames
    defer { self.resultNames = [] }
    try write(&self)
  }

  /// The table that the statement is about.
  var mainTable: TableReference? { owner ?? tables.first }

  /// Writes the qualifier of `*`, where several tables are read.
  mutating func appendQualifier() {
    if let owner { append(owner.qualifier) }
  }

  /// Writes all columns of a table except the excluded ones.
  mutating func appendColumns(excluding excluded: Set<String>, areNamed: Bool = false) throws {
    if let error = excluded.lazy.compactMap(UnknownColumn.error).first { throw error }
    guard let db, let table = mainTable else { return append("*") }
    let excluded = Set(excluded.map(\.asciiLowercased))
    let columns = try table.columnNames(db)
    for (index, column) in columns.filter({ !excluded.contains($0.asciiLowercased) }).enumerated() {
      if index > 0 { append(", ") }
      try append(column: column)
      if areNamed { append(alias: column) }
    }
  }

  /// Returns the only table that has a column.
  private func table(of column: String) throws -> TableReference {
    let candidates = try tables.filter { try $0.hasColumn(column, db) }
    guard let table = candidates.first else {
      throw DatabaseError(
        resultCode: .SQLITE_ERROR,
        message: "no such column: \(column) (in \(tables.map(\.name).joined(separator: ", ")))"
      )
    }
    guard candidates.count == 1 else {
      let names = candidates.map { $0.qualifier + column.quotedDatabaseIdentifier }
      throw DatabaseError(
        resultCode: .SQLITE_ERROR,
        message: "ambiguous column name: \(column) (may be \(names.joined(separator: " or ")))"
      )
    }
    return table
  }

  /// Writes parts whose unqualified columns belong to `table`.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when the text cannot refer to the table.
  mutating func with(
    owner table: TableReference?,
    _ write: (inout SQLContext) throws -> Void
  ) throws {
    let outer = (owner, ownerIsDefault)
    ownerIsDefault = false
    owner = try table.map { try sight.resolve($0, ends: ends, mainTable: mainTable) }
    defer { (owner, ownerIsDefault) = outer }
    try write(&self)
  }

  /// Writes the condition of an association between two tables.
  mutating func with(
    origin: TableReference,
    destination: TableReference,
    _ write: (inout SQLContext) throws -> Void
  ) rethrows {
    let outer = ends
    ends = (origin, destination)
    defer { ends = outer }
    try write(&self)
  }

  /// Writes a statement, or a subquery, that reads `tables`.
  ///
  /// If a subquery refers to one of the tables, and hides it by a table with the same name, the
  /// statement is written again with another name of the table: ``tables`` then have it as their
  /// ``TableReference/writtenName``.
  ///
  /// - Parameters:
  ///   - tables: The tables, from left to right.
  ///   - outside: Tables that the request reads, but not this statement.
  ///   - mayRename: Whether the statement can write other names of its tables.
  ///   - write: A closure that writes the statement.
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when no name helps; the errors of `write`.
  mutating func with(
    tables: [TableReference],
    outside: [TableReference] = [],
    mayRename: Bool = true,
    _ write: (inout SQLContext) throws -> Void
  ) throws {
    let outer = (owner, ownerIsDefault, resultNames, seesGroups)
    let outerColumns = namedColumns
    let start = (sql.utf8.count, positional.count, named)
    sight.enter(tables, outside: outside, mayRename: mayRename)
    defer {
      sight.leave()
      (owner, ownerIsDefault, resultNames, seesGroups) = outer
      namedColumns = outerColumns
    }
    // A subquery has result columns of its own.
    namedColumns = []
    // A table gets another name once.
    for _ in 0...tables.count {
      owner = tables.count > 1 ? self.tables[0] : nil
      ownerIsDefault = owner != nil
      resultNames = []
      seesGroups = true
      try write(&self)
      guard sight.renameHiddenTables() else { return }
      sql = String(sql.utf8.prefix(start.0)) ?? ""
      positional.removeSubrange(start.1...)
      named = start.2
    }
    throw DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: """
        a subquery reads tables with the names of those around it: give each of them an alias with \
        another name
        """
    )
  }

  /// Writes a subquery that cannot refer to the tables of the statements around it.
  mutating func withoutTables(_ write: (inout SQLContext) throws -> Void) rethrows {
    let outer = (sight, owner)
    (sight, owner) = (TablesInSight(), nil)
    defer { (sight, owner) = outer }
    try write(&self)
  }

  /// Writes a clause that sees rows rather than groups of rows.
  mutating func withoutGroups(_ write: (inout SQLContext) throws -> Void) rethrows {
    seesGroups = false
    defer { seesGroups = true }
    try write(&self)
  }
}
