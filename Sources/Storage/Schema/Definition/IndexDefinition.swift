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
