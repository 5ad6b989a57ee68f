extension Database {
  /// Creates a table.
  ///
  ///     try db.create(table: "place") { t in
  ///       t.autoIncrementedPrimaryKey("id")
  ///       t.column("title", .text).notNull()
  ///       t.column("favorite", .boolean).notNull().defaults(to: false)
  ///     }
  ///     // CREATE TABLE "place" (
  ///     //   "id" INTEGER PRIMARY KEY AUTOINCREMENT,
  ///     //   "title" TEXT NOT NULL,
  ///     //   "favorite" BOOLEAN NOT NULL DEFAULT 0
  ///     // )
  ///
  /// The table and the indexes of its columns are created together, or not at all.
  ///
  /// - Parameters:
  ///   - name: The name of the table.
  ///   - options: The kind of table.
  ///   - body: Adds the columns and constraints.
  /// - Throws: Any error of `body`, and ``DatabaseError`` when the table already exists, or when a
  ///   foreign key refers to a table that does not exist.
  public func create(
    table name: String,
    options: TableOptions = [],
    body: (TableDefinition) throws -> Void
  ) throws {
    let definition = TableDefinition(name: name, options: options)
    try body(definition)
    let layout = try TableLayout(definition, self)
    guard !layout.indexes.isEmpty else {
      return try define { try layout.write(to: &$0, name: name) }
    }
    try inSavepoint {
      try define { try layout.write(to: &$0, name: name) }
      for index in layout.indexes { try define(index.write) }
      return .commit
    }
  }

  /// Runs a statement that changes the schema. SQLite allows no arguments in it, so values are
  /// written as literals.
  func define(_ write: (inout SQLContext) throws -> Void) throws {
    var context = SQLContext(self, values: .literal)
    try write(&context)
    try run(sql: context.sql)
  }
}

extension Database {
  /// Creates a view of a request: one built in Swift, or an ``SQLRequest``.
  ///
  ///     try db.create(view: "hero", as: Player.filter { $0.score > 1000 })
  ///     // CREATE VIEW "hero" AS SELECT * FROM "player" WHERE "score" > 1000
  ///
  /// The arguments of the request are written into the view as literals.
  ///
  /// - Parameters:
  ///   - name: The name of the view.
  ///   - options: The kind of view.
  ///   - columns: The names of the view's columns; the names of the request's columns by default.
  ///   - request: The request whose rows the view returns.
  /// - Throws: ``DatabaseError``. SQLite checks whether the tables of the request exist only when
  ///   the view is used.
  public func create(
    view name: String,
    options: ViewOptions = [],
    columns: [String]? = nil,
    as request: some SQLSubqueryable
  ) throws {
    try create(view: name, options: options, columns: columns, of: request.sqlSubquery.query)
  }

  /// Creates a view of an SQL request.
  ///
  ///     try db.create(view: "hero", as: SQLRequest(literal: "SELECT * FROM player WHERE isHero"))
  ///     // CREATE VIEW "hero" AS SELECT * FROM player WHERE isHero
  ///
  /// - Throws: ``DatabaseError``.
  public func create(
    view name: String,
    options: ViewOptions = [],
    columns: [String]? = nil,
    as request: SQLRequest<Row>
  ) throws {
    try create(view: name, options: options, columns: columns, as: request.sqlSubquery)
  }

  /// Creates a view of an SQL query.
  ///
  ///     try db.create(view: "hero", asLiteral: "SELECT * FROM player WHERE score > \(1000)")
  ///     // CREATE VIEW "hero" AS SELECT * FROM player WHERE score > 1000
  ///
  /// - Throws: ``DatabaseError``.
  public func create(
    view name: String,
    options: ViewOptions = [],
    columns: [String]? = nil,
    asLiteral sql: SQL
  ) throws {
    try create(view: name, options: options, columns: columns, of: sql)
  }

  private func create(
    view name: String,
    options: ViewOptions,
    columns: [String]?,
    of query: some Subquery
  ) throws {
    try define { context in
      context.append("CREATE ")
      if options.contains(.temporary) { context.append("TEMPORARY ") }
      context.append("VIEW ")
      if options.contains(.ifNotExists) { context.append("IF NOT EXISTS ") }
      context.append(identifier: name)
      if let columns {
        context.append(" ")
        context.append(identifiers: columns)
      }
      context.append(" AS ")
      try query.write(to: &context)
    }
  }
}
