import Storage

/// A request with an association of two tables, and the same result in plain SQL.
struct AssociatedQuery: Sendable {
  enum Kind: Sendable {
    /// All associated rows of each row, by a second statement.
    case all
    /// The first associated rows of each row, by a second statement.
    case limited(Int)
    /// All associated rows of each row, which a table between leads to.
    case through(String)
    /// The pairs of rows that belong together, by a join.
    case required
    /// The pairs of rows that belong together, and the rows without an associated row.
    case optional
  }

  let kind: Kind
  let parent: SimulatedSchema.Table
  let child: SimulatedSchema.Table
  /// The column of the parent that is selected.
  let parentColumn: String
  /// The column of the child that is selected.
  let childColumn: String
  /// The column of the parent that the `k` of the other table equals: another `k`, or its row id.
  var parentKey = "k"

  /// The columns that relate the parent to the other table.
  fileprivate var key: ForeignKey { ForeignKey(["k"], to: [parentKey]) }

  var description: String {
    "\(parent.name)(\(parentColumn)) by \(parentKey) with \(kind) \(child.name)(\(childColumn))"
  }
}

/// The error of an associated query whose tables or columns do not exist. SQLite and the library
/// say different things about them.
struct MissingTables: Error, CustomStringConvertible {
  var description: String { "a table or a column is missing" }
}

// MARK: - By the library

extension Database {
  /// Fetches the rows by associations.
  func rows(_ query: AssociatedQuery) throws -> [String] {
    do {
      return try query.fetchedRows(self).sorted()
    } catch let error as DatabaseError
      where [.SQLITE_ERROR, .SQLITE_MISUSE].contains(error.resultCode)
    {
      throw MissingTables()
    }
  }
}

extension AssociatedQuery {
  fileprivate func fetchedRows(_ db: Database) throws -> [String] {
    let parents = Table(parent.name), children = Table(child.name)
    let own = parents.select(Self.quoted(parentColumn))
    let rows = Self.quoted(childColumn)
    let order = Column(child.key)
    let association = parents.hasMany(children, key: "children", using: key)
    switch kind {
    case .all:
      return try lists(own.including(all: association.select(rows).order(order)), db)
    case .limited(let count):
      return try lists(own.including(all: association.select(rows).order(order).limit(count)), db)
    case .through(let name):
      let between = Table(name)
      let through = parents.hasMany(
        Row.self,
        through: parents.hasMany(between, key: "between", using: key),
        using: between.hasMany(children, using: ForeignKey(["k"], to: ["k"])),
        key: "children"
      )
      return try lists(own.including(all: through.select(rows).order(order)), db)
    case .required:
      return try pairs(own.including(required: association.select(rows)), db)
    case .optional:
      return try pairs(own.including(optional: association.select(rows)), db)
    }
  }

  private static func quoted(_ column: String) -> SQLSelection {
    SQL("quote(\(Column(column)))").sqlExpression.forKey("q")
  }

  private func lists(_ request: QueryInterfaceRequest<Row>, _ db: Database) throws -> [String] {
    try request.fetchAll(db).map { row in
      let children = row.prefetchedRows["children"]?.map { $0["q"] as String } ?? ["missing"]
      return "\(row["q"] as String): \(children.joined(separator: ","))"
    }
  }

  private func pairs(_ request: QueryInterfaceRequest<Row>, _ db: Database) throws -> [String] {
    try request.fetchAll(db).map { row in
      "\(row["q"] as String): \(row.scopes["child"]?["q"] as String? ?? "missing")"
    }
  }
}

// MARK: - By plain SQL

extension ReferenceConnection {
  /// Fetches the rows by one statement without the library.
  func rows(_ query: AssociatedQuery) throws -> [String] {
    do {
      return try texts(query.statement(self)).map { "\($0[0]): \($0[1])" }.sorted()
    } catch let error as ReferenceConnection.Failure where error.message.hasPrefix("no such") {
      throw MissingTables()
    }
  }
}

extension AssociatedQuery {
  fileprivate func statement(_ source: ReferenceConnection) throws -> String {
    let (parent, child) = (parent.name, child.name)
    let tables: String
    switch kind {
    case .required, .optional:
      let join = if case .optional = kind { "LEFT JOIN" } else { "JOIN" }
      return """
        SELECT quote(a.\(parentColumn)), quote(b.\(childColumn)) \
        FROM \(parent) a \(join) \(child) b ON b.k = a.\(parentKey)
        """
    case .all, .limited:
      tables = "\(child) b WHERE b.k = a.\(parentKey)"
      _ = try source.texts("SELECT k FROM \(child) LIMIT 0")
    case .through(let between):
      tables = "\(between) m JOIN \(child) b ON b.k = m.k WHERE m.k = a.\(parentKey)"
      _ = try source.texts("SELECT k FROM \(between) LIMIT 0")
    }
    let keys = try source.texts(
      "SELECT count(\(parentKey)), count(quote(\(parentColumn))) FROM \(parent)"
    )
    // The library reads the other columns when there are keys to search for.
    if keys[0][0] == "0" { return "SELECT quote(\(parentColumn)), '' FROM \(parent)" }
    let limit = if case .limited(let count) = kind { " LIMIT \(count)" } else { "" }
    return """
      SELECT quote(a.\(parentColumn)), coalesce((SELECT group_concat(q, ',') FROM \
      (SELECT quote(b.\(childColumn)) AS q FROM \(tables) ORDER BY b.\(self.child.key)\(limit))), \
      '') FROM \(parent) a
      """
  }
}
