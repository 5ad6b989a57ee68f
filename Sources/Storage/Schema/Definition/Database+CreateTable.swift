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
