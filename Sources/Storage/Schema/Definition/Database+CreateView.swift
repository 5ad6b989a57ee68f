/// What kind of view is created.
///
///     try db.create(view: "hero", options: [.temporary, .ifNotExists], as: heroes)
///     // CREATE TEMPORARY VIEW IF NOT EXISTS "hero" AS …
public struct ViewOptions: OptionSet, Sendable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public let rawValue: Int

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// A view that is there already is left as it is.
  public static let ifNotExists = ViewOptions(rawValue: 1 << 0)
  /// The connection that creates the view is the only one that sees it. It is gone when the connection is
  /// closed.
  public static let temporary = ViewOptions(rawValue: 1 << 1)
}

extension Database {
  /// Creates a view of a request: of one that is built in Swift, or of an ``SQLRequest``.
  ///
  ///     try db.create(view: "hero", as: Player.filter { $0.score > 1000 })
  ///     // CREATE VIEW "hero" AS SELECT * FROM "player" WHERE "score" > 1000
  ///
  /// The values of the request are written into the view.
  ///
  /// - Parameters:
  ///   - name: The name of the view.
  ///   - options: What kind of view it is.
  ///   - columns: Names of its columns; those of the request unless given.
  ///   - request: What the view shows.
  /// - Throws: ``DatabaseError``. SQLite does not look whether the tables of the request are there before the
  ///   view is used.
  public func create(
    view name: String,
    options: ViewOptions = [],
    columns: [String]? = nil,
    as request: some SQLSubqueryable
  ) throws {
    try create(view: name, options: options, columns: columns, of: request.sqlSubquery.query)
  }

  /// Creates a view of a query in SQL.
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
