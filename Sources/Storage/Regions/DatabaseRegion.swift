/// A part of a database that a query can depend on: tables, or some of their columns and rows.
///
/// The region of a query contains all tables, columns and rows that the query depends on. It may be
/// larger where SQLite does not report enough. You can also make a region:
///
///     DatabaseRegion(table: "item")
///     DatabaseRegion(table: "item", columns: ["price"], rowIDs: [1, 2])
///
/// Names are compared as in SQLite, ignoring the case of ASCII letters.
public struct DatabaseRegion: Hashable, Sendable {
  /// A part of one table.
  struct Table: Hashable, Sendable {
    /// The columns. A part without columns still depends on the rows: an insertion or a deletion
    /// touches it.
    var columns: Extent<ColumnName>
    var rowIDs: Extent<Int64>
    /// The values that a row of the part has: some of them, in the column of these.
    var values = Extent<SoughtValues>.all

    static let all = Table(columns: .all, rowIDs: .all)

    /// With more values than this, the part has all rows: they are not worth their memory.
    private static let maximumValues = 1000

    /// Whether no row can be in the part, because its query looks for an id or a value that no row
    /// has.
    var isEmpty: Bool { rowIDs == .some([]) || values == .some([]) }

    /// The conditions that the part's rows meet. A row id counts as the value of a column.
    var conditions: Extent<SoughtValues> {
      guard values.isAll, let rowIDs = rowIDs.elements else { return values }
      return .some(Set(rowIDs.map(SoughtValues.init(rowID:))))
    }

    /// Whether the part has only the rows that meet one of ``conditions``.
    var hasConditions: Bool { !rowIDs.isAll || !values.isAll }

    /// Calls a closure with each of ``conditions``.
    func forEachCondition(_ body: (SoughtValues) -> Void) {
      if let values = values.elements { return values.forEach(body) }
      rowIDs.elements?.forEach { body(SoughtValues(rowID: $0)) }
    }

    func union(_ other: Table) -> Table {
      let rowIDs = rowIDs.union(other.rowIDs)
      let values =
        rowIDs.isAll ? conditions.union(other.conditions) : values.union(other.values)
      let isTooLong = values.elements.map { $0.count > Self.maximumValues } ?? false
      return Table(
        columns: columns.union(other.columns),
        rowIDs: rowIDs,
        values: isTooLong ? .all : values
      )
    }

    /// Two parts without a common column still have their rows in common.
    ///
    /// A row can have a value of each part in different columns. So the intersection has the values
    /// of one part, and more rows than both have in common.
    func intersection(_ other: Table) -> Table {
      Table(
        columns: columns.intersection(other.columns),
        rowIDs: rowIDs.intersection(other.rowIDs),
        values: values.isAll ? other.values : values
      )
    }
  }

  /// The parts by table; `nil` for the whole database.
  private(set) var tables: [TableName: Table]?

  /// The region of a query that depends on nothing.
  public init() {
    tables = [:]
  }

  /// The region of a table, or of some of its columns or rows.
  ///
  /// - Parameters:
  ///   - table: The name of a table, a view or a virtual table.
  ///   - schema: The name of the database in the connection: `main`, `temp`, or the name of an
  ///     attached database.
  ///   - columns: The columns; `nil` for all of them.
  ///   - rowIDs: The row ids; `nil` for all rows.
  public init(
    table: String,
    schema: String = "main",
    columns: Set<String>? = nil,
    rowIDs: Set<Int64>? = nil
  ) {
    let columns = columns.map { names in Set(names.map { ColumnName($0) }) }
    let part = Table(columns: Extent(columns), rowIDs: Extent(rowIDs))
    self.init(TableName(schema: schema, name: table), part)
  }

  init(_ table: TableName, _ part: Table) {
    tables = [table: part]
  }

  init(tables: [TableName: Table]?) {
    self.tables = tables
  }

  /// The whole database.
  public static let fullDatabase = DatabaseRegion(tables: nil)

  /// Whether the region is empty.
  public var isEmpty: Bool { tables?.values.allSatisfy(\.isEmpty) == true }

  /// Whether the region is the whole database.
  public var isFullDatabase: Bool { tables == nil }

  /// Returns the region of all parts that are in this region or in the other one.
  public func union(_ other: DatabaseRegion) -> DatabaseRegion {
    guard let tables, let otherTables = other.tables else { return .fullDatabase }
    if tables.isEmpty { return other }
    if otherTables.isEmpty { return self }
    return DatabaseRegion(tables: tables.merging(otherTables) { $0.union($1) })
  }

  /// The conditions on a table's rows: `agentid=5`, `agentid=6`. Each row of the region meets one
  /// of them. The array is empty if any row may be in the region.
  package func conditions(onTable name: String) -> [String] {
    let values = tables?[TableName(schema: "main", name: name)]?.values.elements ?? []
    return values.sorted().map(\.description)
  }

  /// The region without the values that rows of its tables have: it has the rows with any values.
  var withoutValues: DatabaseRegion {
    DatabaseRegion(
      tables: tables?.mapValues { part in
        var part = part
        part.values = .all
        return part
      }
    )
  }

  /// Adds the other region to this one.
  public mutating func formUnion(_ other: DatabaseRegion) {
    self = union(other)
  }

  /// Returns the region of all parts that are in both regions.
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
}

extension DatabaseRegion: CustomStringConvertible {
  /// The tables with their columns, and their row ids or the values that their rows have:
  /// `item(name,price)[1,2], order(*), ticket(agentid,title)[agentid=5]`.
  public var description: String {
    guard let tables else { return "full database" }
    guard !tables.isEmpty else { return "empty" }
    return tables.sorted { $0.key.description < $1.key.description }.map { name, table in
      let columns =
        table.columns.elements.map { $0.sorted().map(\.name).joined(separator: ",") } ?? "*"
      let rows = table.rowIDs.elements.map {
        "[\($0.sorted().map(String.init).joined(separator: ","))]"
      }
      let values = table.values.elements.map {
        "[\($0.sorted().map(\.description).joined(separator: ","))]"
      }
      return "\(name)(\(columns))\(rows ?? "")\(values ?? "")"
    }.joined(separator: ", ")
  }
}

/// A value that depends on a part of a database, such as a region or a request.
public protocol DatabaseRegionConvertible: Sendable {
  /// Returns the part of the database that the value depends on.
  ///
  /// - Throws: ``DatabaseError`` when it depends on something that does not exist.
  func databaseRegion(_ db: Database) throws -> DatabaseRegion
}

extension DatabaseRegion: DatabaseRegionConvertible {
  /// Returns the region, with the tables behind its views and virtual tables added.
  ///
  /// SQLite reports changes of the tables that a view reads, and of the tables in which a full-text
  /// or R-tree table keeps its data, but not changes of the view or of the virtual table.
  public func databaseRegion(_ db: Database) throws -> DatabaseRegion {
    guard let tables else { return self }
    let schema = try db.currentRegionSchema()
    var region = self
    for name in tables.keys {
      switch schema.tables[name]?.kind {
      case .view:
        region.formUnion(
          try db.region(ofSQL: "SELECT * FROM \(name.quotedDatabaseIdentifier)")
        )
      case .virtual:
        region.formUnion(schema.region(ofVirtualTable: name))
      case .table, .shadow, nil:
        break
      }
    }
    return region
  }
}

extension DatabaseRegionConvertible where Self == DatabaseRegion {
  /// The whole database.
  public static var fullDatabase: DatabaseRegion { DatabaseRegion.fullDatabase }
}

extension TableName {
  var quotedDatabaseIdentifier: String {
    "\(schema.quotedDatabaseIdentifier).\(name.quotedDatabaseIdentifier)"
  }
}
