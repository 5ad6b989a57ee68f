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

  /// The tables that the statement reads, from left to right. When there are several, every column
  /// is written with its table.
  private(set) var tables: [TableReference] = []
  /// The table of unqualified columns; `nil` where such a column may belong to any of ``tables``.
  private var owner: TableReference?
  /// The tables of the statements around a subquery, the innermost first.
  private var enclosingTables: [TableReference] = []
  /// The two tables of the association whose condition is being written.
  private var ends: (origin: TableReference, destination: TableReference)?

  /// Whether the clause that is being written sees groups of rows: `WHERE` sees rows.
  private(set) var seesGroups = true

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
    try append(elements: template.elements, before: [])
  }

  /// Writes parts of a piece of SQL. A request that is embedded looks at the parts behind it.
  private mutating func append(
    elements: [SQL.Element],
    before following: ArraySlice<SQL.Element>
  ) throws {
    for (index, element) in elements.enumerated() {
      switch element {
      case .subquery(let request):
        try append(request: request, before: elements[(index + 1)...] + following)
      case .expression(let expression):
        guard let raw = expression.part as? RawExpression else { fallthrough }
        try append(elements: raw.sql.elements, before: elements[(index + 1)...] + following)
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
  /// - Throws: ``DatabaseError`` when several tables have the column, or none has.
  mutating func append(column: String) throws {
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

  /// The table that the statement is about.
  var mainTable: TableReference? { owner ?? tables.first }

  /// Writes the qualifier of `*`, where several tables are read.
  mutating func appendQualifier() {
    if let owner { append(owner.qualifier) }
  }

  /// Writes all columns of a table except the excluded ones.
  mutating func appendColumns(excluding excluded: Set<String>, areNamed: Bool = false) throws {
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
  mutating func with(
    owner table: TableReference?,
    _ write: (inout SQLContext) throws -> Void
  ) rethrows {
    let outer = owner
    owner = table.map { resolved($0) }
    defer { owner = outer }
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

  /// Returns the table of the statement, or of a statement around it, that a reference stands for.
  private func resolved(_ reference: TableReference) -> TableReference {
    if let identity = reference.identities.first {
      if let table = table(identity) { return table }
    } else if let name = reference.alias {
      return (tables + enclosingTables).first { $0.name == name } ?? reference
    }
    let name = reference.name
    let visible = tables + enclosingTables
    return visible.first { $0.name == name }
      ?? visible.first { $0.tableName == reference.tableName } ?? reference
  }

  private func table(_ identity: TableIdentity) -> TableReference? {
    switch identity {
    case .origin: return ends?.origin
    case .destination: return ends?.destination
    case .path(let keys):
      let path = (mainTable?.path ?? []) + keys
      return tables.first { $0.path == path }
    case .aggregated, .alone:
      return tables.first { $0.identities.contains(identity) }
    case .alias:
      return (tables + enclosingTables).first { table in
        table.identities.contains { $0.isSame(as: identity) }
      }
    }
  }

  /// Writes a statement, or a subquery, that reads `tables`.
  mutating func with(
    tables: [TableReference],
    _ write: (inout SQLContext) throws -> Void
  ) rethrows {
    let outer = (self.tables, owner, enclosingTables, seesGroups)
    enclosingTables = self.tables + enclosingTables
    self.tables = tables
    owner = tables.count > 1 ? tables[0] : nil
    seesGroups = true
    defer { (self.tables, owner, enclosingTables, seesGroups) = outer }
    try write(&self)
  }

  /// Writes a clause that sees rows rather than groups of rows.
  mutating func withoutGroups(_ write: (inout SQLContext) throws -> Void) rethrows {
    seesGroups = false
    defer { seesGroups = true }
    try write(&self)
  }
}
