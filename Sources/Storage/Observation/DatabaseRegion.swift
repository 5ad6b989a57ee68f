/// A part of a database that a query can depend on: tables, columns of them, rows of them.
///
/// A region is never smaller than what the query depends on, and may be larger where SQLite does not
/// tell enough.
public struct DatabaseRegion: Hashable, Sendable {
  /// A part of one table.
  struct Table: Hashable, Sendable {
    /// The columns in lower case; `nil` for all of them. No column at all still means the rows: an
    /// insertion or a deletion touches it.
    var columns: Set<String>?
    /// The row ids; `nil` for all rows.
    var rowIDs: Set<Int64>?

    static let all = Table(columns: nil, rowIDs: nil)

    func union(_ other: Table) -> Table {
      Table(
        columns: columns.flatMap { columns in other.columns.map(columns.union) },
        rowIDs: rowIDs.flatMap { rowIDs in other.rowIDs.map(rowIDs.union) }
      )
    }
  }

  /// By table; `nil` for the whole database.
  private(set) var tables: [TableName: Table]?

  /// The region of a query that depends on nothing.
  public init() {
    tables = [:]
  }

  init(_ table: TableName, _ part: Table) {
    tables = [table: part]
  }

  private init(tables: [TableName: Table]?) {
    self.tables = tables
  }

  /// The whole database.
  public static let fullDatabase = DatabaseRegion(tables: nil)

  /// Whether nothing is in the region.
  public var isEmpty: Bool { tables?.isEmpty == true }

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
