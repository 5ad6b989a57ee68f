/// What kind of index is created.
///
///     try db.create(index: "byEmail", on: "users", columns: ["email"], options: .unique)
///     // CREATE UNIQUE INDEX "byEmail" ON "users"("email")
public struct IndexOptions: OptionSet, Sendable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public let rawValue: Int

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// An index that is there already is left as it is.
  public static let ifNotExists = IndexOptions(rawValue: 1 << 0)
  /// Two rows with equal values are refused.
  public static let unique = IndexOptions(rawValue: 1 << 1)
}

/// `CREATE INDEX "player_on_score" ON "player"("score")`
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

  /// An index that goes with the columns of a table definition.
  init(constraintOn table: String, columns: [String], options: IndexOptions) {
    self.init(
      name: "\(table)_on_\(columns.joined(separator: "_"))",
      table: table,
      terms: columns.map { Column($0) },
      options: options
    )
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
