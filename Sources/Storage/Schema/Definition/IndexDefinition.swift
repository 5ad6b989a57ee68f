extension Database {
  /// Creates an index.
  ///
  ///     try db.create(index: "byEmail", on: "users", columns: ["email"])
  ///     // CREATE INDEX "byEmail" ON "users"("email")
  ///
  /// - Parameters:
  ///   - name: The name of the index.
  ///   - table: The table.
  ///   - columns: The columns, usually with the most selective one first.
  ///   - options: The kind of index.
  ///   - condition: Which rows the index covers; all rows by default.
  /// - Throws: ``DatabaseError``, with `SQLITE_CONSTRAINT_UNIQUE` when a unique index finds equal
  ///   rows.
  public func create(
    index name: String,
    on table: String,
    columns: [String],
    options: IndexOptions = [],
    condition: (any SQLExpressible)? = nil
  ) throws {
    try create(
      index: name,
      on: table,
      expressions: columns.map { Column($0) },
      options: options,
      condition: condition
    )
  }

  /// Creates an index on expressions, or on columns with their own collation or order.
  ///
  ///     try db.create(index: "txy", on: "t", expressions: [Column("x") + Column("y")])
  ///     // CREATE INDEX "txy" ON "t"("x" + "y")
  ///     try db.create(index: "recent", on: "t", expressions: [Column("date").desc])
  ///     // CREATE INDEX "recent" ON "t"("date" DESC)
  ///
  /// - Throws: ``DatabaseError``.
  public func create(
    index name: String,
    on table: String,
    expressions: [any SQLOrderingTerm],
    options: IndexOptions = [],
    condition: (any SQLExpressible)? = nil
  ) throws {
    guard !expressions.isEmpty else {
      throw DatabaseError(
        resultCode: .SQLITE_ERROR,
        message: "the index \(name) has no columns"
      )
    }
    let index = IndexDefinition(
      name: name,
      table: table,
      terms: expressions,
      options: options,
      condition: condition
    )
    try define(index.write)
  }

  /// Creates an index named after its table and its columns.
  ///
  ///     try db.create(indexOn: "player", columns: ["name", "score"])
  ///     // CREATE INDEX "index_player_on_name_score" ON "player"("name", "score")
  ///     try db.create(indexOn: "users", columns: ["email"], condition: Column("isActive") == true)
  ///     // CREATE INDEX "index_users_on_email" ON "users"("email") WHERE "isActive"
  ///
  /// - Throws: ``DatabaseError``, with `SQLITE_CONSTRAINT_UNIQUE` when a unique index finds equal
  ///   rows.
  public func create(
    indexOn table: String,
    columns: [String],
    options: IndexOptions = [],
    condition: (any SQLExpressible)? = nil
  ) throws {
    try create(
      index: IndexDefinition.defaultName(on: table, columns),
      on: table,
      columns: columns,
      options: options,
      condition: condition
    )
  }
}

/// The definition of an index: `CREATE INDEX "player_on_score" ON "player"("score")`.
struct IndexDefinition {
  let name: String
  let table: String
  let terms: [SQLOrdering]
  let options: IndexOptions
  var condition: ExpressionNode?

  init(
    name: String,
    table: String,
    terms: [any SQLOrderingTerm],
    options: IndexOptions,
    condition: (any SQLExpressible)? = nil
  ) {
    self.name = name
    self.table = table
    self.terms = terms.map(\.sqlOrdering)
    self.options = options
    self.condition = condition?.node
  }

  /// Describes an index that a table definition creates on its columns.
  init(constraintOn table: String, columns: [String], options: IndexOptions) {
    self.init(
      name: "\(table)_on_\(columns.joined(separator: "_"))",
      table: table,
      terms: columns.map { Column($0) },
      options: options
    )
  }

  /// The name of an index that is given none: `index_player_on_name_score`.
  static func defaultName(on table: String, _ columns: [String]) -> String {
    "index_\(table)_on_\(columns.joined(separator: "_"))"
  }

  /// Writes the statement that creates the index.
  func write(to context: inout SQLContext) throws {
    context.append("CREATE ")
    if options.contains(.unique) { context.append("UNIQUE ") }
    context.append("INDEX ")
    if options.contains(.ifNotExists) { context.append("IF NOT EXISTS ") }
    context.append(identifier: name)
    context.append(" ON ")
    context.append(identifier: table)
    context.append("(")
    try terms.writeList(to: &context)
    context.append(")")
    guard let condition else { return }
    context.append(" WHERE ")
    try condition.write(to: &context)
  }
}
