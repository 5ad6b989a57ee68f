internal import CommandLineSupport
internal import Storage

/// A table or a view. Its rows are identified by primary key or row id if it has one.
struct WatchedTable {
  let name: String
  var options = TableOptions()

  /// Returns the statement that reads the rows with their keys.
  ///
  /// The columns of the key are read in the same transaction as the rows, so the table can be
  /// altered, or dropped and recreated, while it is watched.
  func plan(_ db: Database) throws -> QueryPlan {
    let columns = try checkedColumns(db)
    if let names = options.key { return QueryPlan(sql: sql(key: []), keyNames: names) }
    let primaryKey = columns.filter { !$0.isHidden && $0.keyPosition > 0 }
    var key = primaryKey.map(\.name.quotedDatabaseIdentifier)
    let rowID = rowID(db, columns: columns)
    if key.isEmpty, let rowID { key = [rowID] }
    var plan = QueryPlan(sql: sql(key: key), keyCount: key.count)
    plan.primaryKey = primaryKey.map(\.name)
    plan.keyCanBeNull = try !primaryKey.isEmpty && !hasKeysWithoutNULL(db, primaryKey, rowID: rowID)
    let order =
      rowID.map { [$0] }
      ?? primaryKey.sorted { $0.keyPosition < $1.keyPosition }
      .map(\.name.quotedDatabaseIdentifier)
    if options.order == nil, options.limit == nil, !order.isEmpty, try isOrdinaryTable(db) {
      plan.ranges = QueryPlan.Ranges(
        sql: sql(key: key + order),
        count: order.count,
        isByRowID: rowID != nil,
        hasAllRows: options.condition == nil
      )
    }
    return plan
  }

  /// Returns whether no row can have NULL in its primary key: SQLite allows that in tables with row
  /// ids, unless the key is the row id.
  private func hasKeysWithoutNULL(
    _ db: Database,
    _ primaryKey: [DeclaredColumn],
    rowID: String?
  ) throws -> Bool {
    if primaryKey.allSatisfy(\.isNotNull) { return true }
    guard let rowID else { return false }
    let statement = try db.makeStatement(sql: "SELECT \(rowID) FROM \(quotedName)")
    // The result has the name of the column that is the row id; without one, `rowid`.
    return statement.columnNames == primaryKey.map(\.name)
      && statement.columnNames.first?.lowercased() != "rowid"
  }

  /// Returns whether the rows are stored in the order of their keys, unlike the rows of views and
  /// of virtual tables.
  private func isOrdinaryTable(_ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db,
      sql: """
        SELECT 1 FROM sqlite_schema
        WHERE type = 'table' AND lower(name) = lower(?) AND rootpage > 0
        """,
      arguments: [name]
    ) ?? false
  }

  private func isView(_ db: Database) -> Bool {
    let sql = "SELECT 1 FROM sqlite_schema WHERE type = 'view' AND lower(name) = lower(?)"
    return (try? Bool.fetchOne(db, sql: sql, arguments: [name])) ?? false
  }

  /// Returns the SQL that reads the table, without keys.
  func sql(_ db: Database) throws -> String {
    _ = try checkedColumns(db)
    return sql(key: [])
  }

  private func sql(key: [String]) -> String {
    let selection = ([options.selection] + key).joined(separator: ", ")
    return "SELECT \(selection) FROM \(quotedName)\(options.clauses)"
  }

  private var quotedName: String { name.quotedDatabaseIdentifier }

  /// Returns the name of the row id; `nil` if the table has no row ids, such as a view.
  private func rowID(_ db: Database, columns: [DeclaredColumn]) -> String? {
    let names = Set(columns.map { $0.name.lowercased() })
    // Some builds of SQLite return NULL as the row id of each row of a view.
    guard !isView(db),
      let rowID = RowIDName.all.first(where: { !names.contains($0) }),
      // A cached statement may be one of a former table: it does not run.
      (try? db.makeStatement(sql: "SELECT \(rowID) FROM \(quotedName)")) != nil
    else { return nil }
    return rowID
  }

  /// Returns the columns of the table, which exists and has the columns of the options.
  private func checkedColumns(_ db: Database) throws -> [DeclaredColumn] {
    let columns = try columns(db)
    guard !columns.isEmpty else { throw try missingTable(db) }
    var names = Set(columns.map { $0.name.lowercased() })
    if rowID(db, columns: columns) != nil { names.formUnion(RowIDName.all) }
    for column in options.columns ?? [] where !names.contains(column.lowercased()) {
      let others = columns.map(\.name).joined(separator: ", ")
      let hint = Suggestion.hint(for: column, in: columns.map(\.name))
      let list = hint.isEmpty ? " (its columns are \(others))" : hint
      throw ToolError("\(name) has no column \(column)\(list)")
    }
    return columns
  }

  /// Returns whether there is such a table or view.
  func exists(_ db: Database) throws -> Bool { try !columns(db).isEmpty }

  /// Returns the columns, or no columns if the table does not exist.
  private func columns(_ db: Database) throws -> [DeclaredColumn] {
    let columns = try db.declaredColumns(of: name)
    for column in columns { try column.checkName() }
    return columns
  }

  func missingTable(_ db: Database) throws -> ToolError {
    let names = try Row.fetchAll(
      db,
      sql: """
        SELECT name FROM pragma_table_list
        WHERE schema = 'main' AND type <> 'shadow' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        ORDER BY name
        """
    ).compactMap { $0.schemaText("name") }
    let others = names.isEmpty ? "there are none" : "there are \(names.joined(separator: ", "))"
    // SQL knows tables of this file also as `main.item`.
    let isInMain = name.lowercased().hasPrefix("main.")
    let hint = Suggestion.hint(for: isInMain ? String(name.dropFirst(5)) : name, in: names)
    return ToolError(
      "no such table: \(name)\(hint.isEmpty ? " (\(others))" : hint)\(misspelledSQL(db))"
    )
  }

  /// Returns why a name with spaces is not SQL either; an empty text for other names.
  private func misspelledSQL(_ db: Database) -> String {
    guard name.contains(where: \.isWhitespace) else { return "" }
    do {
      _ = try db.makeStatement(sql: name)
      return ""
    } catch {
      return "; as SQL: \(ErrorMessage.text(for: error))"
    }
  }
}
