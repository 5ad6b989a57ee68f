/// The statements by which the result of a query is kept up to date: see ``PatchAnalysis``.
///
/// The query has one row for each of some rows of one table, in an order that is total: the terms
/// of its `ORDER BY`, then the order in which it reads rows that are equal in these terms. Each of
/// these rows may be joined with a row of some other tables.
struct PatchPlan: Hashable, Sendable {
  /// How many rows a statement looks up. Each connection compiles one statement for each size.
  static let lookupSizes = [1, 3, 10, 100, 1000]

  /// The part of a query's rows that is fetched.
  enum Kind: Sendable {
    case allRows
    case firstRow
    /// Their number.
    case count
  }

  /// The query, and how its rows are told apart.
  struct Source: Hashable, Sendable {
    let list: String
    let source: String
    /// The same, where the rows that are told apart are looked up by their ids.
    let lookupSource: String
    let condition: String?
    /// The row id of the rows that are told apart, or their key in a table without row ids.
    let key: PatchKey
    /// The columns that tell the rows of the other tables apart: row ids or keys, or the columns
    /// that are equal to row ids.
    let partners: [PatchKey]
    /// Whether several tables are joined.
    let isJoined: Bool
    /// The `GROUP BY` and the `HAVING`, if each row is a group.
    let groups: String
    let parameterCount: Int

    fileprivate var select: String { "SELECT \(list), \(hidden) FROM \(lookupSource)" }

    /// The hidden columns, which are the last ones.
    var hidden: String { (partners + [key]).map(\.columnsSQL).joined(separator: ", ") }

    /// How many columns follow those of the query: the keys of the other tables, then the key.
    var hiddenCount: Int { partners.reduce(key.columns.count) { $0 + $1.columns.count } }
  }

  /// The table whose rows are told apart.
  let table: TableName
  /// The other tables, in the order of the source's partners: the joined tables, and the tables of
  /// subqueries that look rows up by a column of the query.
  let partners: [TableName]
  /// The indexes of the partners whose rows may bring other rows into the result.
  let soughtPartners: Set<Int>
  /// All of them: the next patch needs their changed rows.
  let tables: Set<TableName>
  /// The tables of subqueries, groups and associated rows whose changes touch any row.
  private(set) var others: Set<TableName>
  /// The columns of other tables that lead to rows of the query.
  private(set) var links: [PatchLink]
  /// The tables that lead from their touched rows to rows of other tables, the farthest table
  /// first.
  private(set) var chains: [PatchChain] = []
  /// How many statements fetch associated rows.
  private(set) var prefetchCount = 0
  let source: Source
  /// The query with the hidden columns. A window begins at the first row.
  ///
  /// The number of rows of a window follows the parameters of the query.
  let wholeSQL: String
  /// Terms that order all rows as the query does, for any set of rows.
  let totalOrder: String
  /// The `LIMIT` of the query, or `nil`.
  let window: Window?
  // Most patches look one row up, or a few. To make the text of the statement takes as long as
  // running it.
  private var changedSQLs: [Int: String] = [:]
  private var sortSQLs: [Int: String] = [:]

  init(
    table: TableName,
    partners: [TableName],
    soughtPartners: Set<Int>,
    links: [PatchLink],
    others: Set<TableName>,
    source: Source,
    whole: SelectText.Clauses,
    order: String?,
    totalOrder: String,
    window: Window?
  ) {
    self.table = table
    self.partners = partners
    self.soughtPartners = soughtPartners
    self.links = links
    self.others = others
    tables = Set(partners + [table])
    self.source = source
    var sql = "SELECT \(whole.list), \(source.hidden) FROM \(whole.source)"
    if let condition = whole.condition { sql += " WHERE \(condition)" }
    sql += source.groups
    if let order { sql += " ORDER BY \(order)" }
    if window != nil { sql += " LIMIT ?\(source.parameterCount + 1)" }
    wholeSQL = sql
    self.totalOrder = totalOrder
    self.window = window
    for count in Self.lookupSizes.prefix(3) { changedSQLs[count] = makeChangedSQL(count) }
    for count in Self.sortSizes.prefix(1) { sortSQLs[count] = makeSortSQL(count) }
  }

  /// Adds a statement that fetches associated rows, whose changes touch rows.
  ///
  /// - Parameters:
  ///   - links: The columns that lead to the touched rows.
  ///   - others: The tables whose changes touch any row.
  mutating func addPrefetch(_ links: [PatchLink], others: Set<TableName>) {
    self.links += links.filter { !self.links.contains($0) }
    self.others.formUnion(others)
    prefetchCount += 1
  }

  /// Adds a table that leads from its touched rows to the rows of a table that was added before.
  mutating func add(_ chain: PatchChain) { chains.insert(chain, at: 0) }

  /// The data of each commit that a patch needs.
  var inputs: PatchInputs {
    let links = Dictionary(grouping: links, by: \.table)
    return PatchInputs(rows: tables, values: links.mapValues { Set($0.map(\.column)) })
  }

  /// The rows of the ordered result that a query returns.
  struct Window: Hashable, Sendable {
    /// Larger windows are run as a whole.
    static let maximumEnd = 10_000

    let limit: Int
    let offset: Int

    /// How many rows are known from the beginning of the result. Some follow the window, so that
    /// rows can leave it.
    var capacity: Int { offset + limit + max(8, limit / 4) }

    func contains(_ index: Int) -> Bool { index >= offset && index < offset + limit }

    /// Returns the indexes of the window among a number of known rows.
    func indexes(in count: Int) -> Range<Int> {
      min(offset, count)..<min(offset + limit, count)
    }
  }

  /// The query for some rows of the table, in the order of the result, with the hidden columns. The
  /// keys follow the parameters of the query.
  func changedSQL(count: Int) -> String { changedSQLs[count] ?? makeChangedSQL(count) }

  private func makeChangedSQL(_ count: Int) -> String {
    "\(source.select) WHERE \(condition)\(lookup(count))\(source.groups) ORDER BY \(totalOrder)"
  }

  private var condition: String {
    guard let condition = source.condition else { return "" }
    // It may say how the tables are joined.
    if source.isJoined { return "(\(condition)) AND " }
    // Inside of a CASE, the condition cannot make SQLite read rows that are not looked up.
    return "CASE WHEN (\(condition)) THEN 1 END AND "
  }

  /// How many rows a statement sorts: a row with its former neighbours, or with many.
  static let sortSizes = [3, RowOrder.maximumSort]

  /// Some rows of the result in their order, with the hidden columns. The keys follow the
  /// parameters of the query.
  func sortSQL(count: Int) -> String { sortSQLs[count] ?? makeSortSQL(count) }

  private func makeSortSQL(_ count: Int) -> String {
    source.isJoined
      ? makeChangedSQL(count)
      : "\(source.select) WHERE \(lookup(count)) ORDER BY \(totalOrder)"
  }

  /// The keys of the rows of the query that are joined with some rows of another table. The keys of
  /// these follow the parameters of the query.
  ///
  /// - Parameters:
  ///   - partner: The index of the other table among ``partners``.
  ///   - count: The number of its rows.
  /// - Returns: The SQL.
  func joinedSQL(with partner: Int, count: Int) -> String {
    let lookup = source.partners[partner]
      .lookupSQL(count: count, firstParameter: source.parameterCount + 1)
    return """
      SELECT \(source.key.columnsSQL) FROM \(source.source) WHERE \(condition)\(lookup)\
      \(source.groups) LIMIT \(Self.maximumJoined + 1)
      """
  }

  /// With how many rows of the result the changed rows of another table are joined at most.
  static var maximumJoined: Int { lookupSizes.last ?? 0 }

  private func lookup(_ count: Int) -> String {
    source.key.lookupSQL(count: count, firstParameter: source.parameterCount + 1)
  }
}

extension PatchPlan {
  /// The tables behind the patched result, line by line.
  ///
  /// ```text
  /// rows 1 to 50 of sale
  ///   each with a row of customer
  ///   each with the rows of note by saleid
  /// ```
  ///
  /// - Parameter subject: The use of the rows, if they are not the result themselves: "the number
  ///   of".
  /// - Returns: The lines. Those about other tables are indented.
  func description(of subject: String? = nil) -> String {
    let rows =
      window.map { "rows \($0.offset + 1) to \($0.offset + $0.limit) of" } ?? "the rows of"
    var lines = ["\(subject.map { "\($0) " } ?? "")\(rows) \(table.name)"]
    lines += partners.map { "  each with a row of \($0.name)" }
    lines += linkLines(to: table, indentation: "  ", [table])
    lines += others.map(\.name).sorted().map { "  all with the rows of \($0)" }
    return lines.joined(separator: "\n")
  }

  private func linkLines(
    to target: TableName,
    indentation: String,
    _ outer: Set<TableName>
  ) -> [String] {
    links.filter { $0.target == target }
      .flatMap { link in
        let line = "each with the rows of \(link.table.name) by \(link.column.name.name)"
        let tables = outer.union([link.table])
        return [indentation + line]
          + (outer.contains(link.table)
            ? [] : linkLines(to: link.table, indentation: indentation + "  ", tables))
      }
  }
}
