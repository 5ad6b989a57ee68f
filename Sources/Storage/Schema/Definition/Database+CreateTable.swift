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
  /// The table and the indexes that its columns ask for are created together, or not at all.
  ///
  /// - Parameters:
  ///   - name: The name of the table.
  ///   - options: What kind of table it is.
  ///   - body: Adds the columns and the constraints.
  /// - Throws: What `body` throws, and ``DatabaseError`` when the table is there already, or when a foreign key
  ///   refers to a table that is not there.
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

  /// Runs a statement of the schema. SQLite takes no arguments there, so that values are written into it.
  func define(_ write: (inout SQLContext) throws -> Void) throws {
    var context = SQLContext(self, values: .literal)
    try write(&context)
    try run(sql: context.sql)
  }
}
