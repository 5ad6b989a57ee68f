/// A part of a database that a query can depend on: tables, columns of them, rows of them.
///
/// The region of a query is never smaller than what the query depends on, and may be larger where
/// SQLite does not tell enough. It can also be written down:
///
///     DatabaseRegion(table: "item")
///     DatabaseRegion(table: "item", columns: ["price"], rowIDs: [1, 2])
///
/// Names are compared as SQLite does it: without the case of ASCII letters.
public struct DatabaseRegion: Hashable, Sendable {
  /// A part of one table.
  struct Table: Hashable, Sendable {
    /// The columns in lower case; `nil` for all of them. No column at all still means the rows: an
    /// insertion or a deletion touches it.
    var columns: Set<String>?
    /// The row ids; `nil` for all rows.
    var rowIDs: Set<Int64>?

    static let all = Table(columns: nil, rowIDs: nil)

    /// Whether no row can be in the part: its query looked a row up by an id that no row has.
    var isEmpty: Bool { rowIDs?.isEmpty == true }

    func union(_ other: Table) -> Table {
      Table(
        columns: columns.flatMap { columns in other.columns.map(columns.union) },
        rowIDs: rowIDs.flatMap { rowIDs in other.rowIDs.map(rowIDs.union) }
      )
    }

    /// Two parts without a common column still have their rows in common.
    func intersection(_ other: Table) -> Table {
      func common<Key>(_ left: Set<Key>?, _ right: Set<Key>?) -> Set<Key>? {
        guard let left, let right else { return left ?? right }
        return left.intersection(right)
      }
      return Table(
        columns: common(columns, other.columns),
        rowIDs: common(rowIDs, other.rowIDs)
      )
    }
  }

  /// By table; `nil` for the whole database.
  private(set) var tables: [TableName: Table]?

  /// The region of a query that depends on nothing.
  public init() {
    tables = [:]
  }

  /// A table, or some columns or rows of it.
  ///
  /// - Parameters:
  ///   - table: The name of a table, a view or a virtual table.
  ///   - schema: The name of the database in the connection: `main`, `temp`, or that of an attached
  ///     one.
  ///   - columns: The columns; `nil` for all of them.
  ///   - rowIDs: The row ids; `nil` for all rows.
  public init(
    table: String,
    schema: String = "main",
    columns: Set<String>? = nil,
    rowIDs: Set<Int64>? = nil
  ) {
    let columns = columns.map { Set($0.map(\.asciiLowercased)) }
    self.init(TableName(schema: schema, name: table), Table(columns: columns, rowIDs: rowIDs))
  }

  init(_ table: TableName, _ part: Table) {
    tables = [table: part]
  }

  init(tables: [TableName: Table]?) {
    self.tables = tables
  }

  /// The whole database.
  public static let fullDatabase = DatabaseRegion(tables: nil)

  /// Whether nothing is in the region.
  public var isEmpty: Bool { tables?.values.allSatisfy(\.isEmpty) == true }

  /// Whether the whole database is in the region.
  public var isFullDatabase: Bool { tables == nil }

  /// What is in this region or in the other.
  public func union(_ other: DatabaseRegion) -> DatabaseRegion {
    guard let tables, let otherTables = other.tables else { return .fullDatabase }
    return DatabaseRegion(tables: tables.merging(otherTables) { $0.union($1) })
  }

  /// Adds what is in the other region.
  public mutating func formUnion(_ other: DatabaseRegion) {
    self = union(other)
  }

  /// What is in this region and in the other.
  public func intersection(_ other: DatabaseRegion) -> DatabaseRegion {
    guard let tables else { return other }
    guard let otherTables = other.tables else { return self }
    var common: [TableName: Table] = [:]
    for (name, part) in tables {
      guard let shared = otherTables[name].map(part.intersection), !shared.isEmpty else { continue }
      common[name] = shared
    }
    return DatabaseRegion(tables: common)
  }

  /// Whether `changes` may have changed something in the region.
  func isTouched(by changes: DatabaseChanges) -> Bool {
    guard case .tables(let changed) = changes else { return true }
    guard let tables else { return true }
    return tables.contains { name, part in
      changed[name]?.touches(part) ?? false
    }
  }
}

extension DatabaseRegion: CustomStringConvertible {
  /// The tables with their columns and row ids: `item(name,price)[1,2], order(*)`.
  public var description: String {
    guard let tables else { return "full database" }
    guard !tables.isEmpty else { return "empty" }
    return tables.sorted { $0.key.description < $1.key.description }.map { name, table in
      let columns = table.columns.map { $0.sorted().joined(separator: ",") } ?? "*"
      let rows = table.rowIDs.map { "[\($0.sorted().map(String.init).joined(separator: ","))]" }
      return "\(name)(\(columns))\(rows ?? "")"
    }.joined(separator: ", ")
  }
}
