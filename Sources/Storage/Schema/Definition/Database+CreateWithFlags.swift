/// Options for creating a table.
///
///     try db.create(table: "example", options: [.temporary, .ifNotExists]) { t in … }
///     // CREATE TEMPORARY TABLE IF NOT EXISTS "example" (…)
public struct TableOptions: OptionSet, Sendable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public let rawValue: Int

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Does nothing when the table already exists.
  public static let ifNotExists = TableOptions(rawValue: 1 << 0)
  /// Creates a table that only this connection sees, and that is dropped when the connection
  /// closes.
  public static let temporary = TableOptions(rawValue: 1 << 1)
  /// Stores rows in the order of the primary key, without row ids.
  /// https://www.sqlite.org/withoutrowid.html
  public static let withoutRowID = TableOptions(rawValue: 1 << 2)
  /// Requires values to have the type of their column. https://www.sqlite.org/stricttables.html
  ///
  /// Such a table has the types INTEGER, REAL, TEXT, BLOB and ANY only. `.boolean` becomes INTEGER
  /// there, `.double` REAL, and `.date` and `.datetime` TEXT, which is how values of `Bool` and
  /// `Date` are stored. `.numeric` is an error.
  public static let strict = TableOptions(rawValue: 1 << 3)
}

/// Options for creating an index.
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

  /// Does nothing when the index already exists.
  public static let ifNotExists = IndexOptions(rawValue: 1 << 0)
  /// Refuses rows with equal values.
  public static let unique = IndexOptions(rawValue: 1 << 1)
}

/// Options for creating a view.
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

  /// Does nothing when the view already exists.
  public static let ifNotExists = ViewOptions(rawValue: 1 << 0)
  /// Creates a view that only this connection sees, and that is dropped when the connection closes.
  public static let temporary = ViewOptions(rawValue: 1 << 1)
}

/// Options for creating a virtual table.
public struct VirtualTableOptions: OptionSet, Sendable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public let rawValue: Int

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Does nothing when the table already exists.
  public static let ifNotExists = VirtualTableOptions(rawValue: 1 << 0)

  /// Creates a table that exists for this connection only, until the connection closes.
  public static let temporary = VirtualTableOptions(rawValue: 1 << 1)
}

// The spellings of older migrations, with one argument for each option.

extension Database {
  /// Creates a table, with flags instead of options: see ``create(table:options:body:)``.
  ///
  ///     try db.create(table: "country", ifNotExists: true, withoutRowID: true) { t in
  ///       t.primaryKey("code", .text)
  ///     }
  ///     // CREATE TABLE IF NOT EXISTS "country" ("code" TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID
  ///
  /// It compiles migrations that were written for GRDB. In new code, use the options.
  ///
  /// - Parameters:
  ///   - name: The name of the table.
  ///   - temporary: Whether the table is dropped when the connection closes.
  ///   - ifNotExists: Whether to do nothing when the table already exists.
  ///   - withoutRowID: Whether to store rows in the order of the primary key, without row ids.
  ///   - body: Adds the columns and constraints.
  /// - Throws: The errors of ``create(table:options:body:)``.
  @_disfavoredOverload
  public func create(
    table name: String,
    temporary: Bool = false,
    ifNotExists: Bool = false,
    withoutRowID: Bool = false,
    body: (TableDefinition) throws -> Void
  ) throws {
    var options: TableOptions = []
    if temporary { options.insert(.temporary) }
    if ifNotExists { options.insert(.ifNotExists) }
    if withoutRowID { options.insert(.withoutRowID) }
    try create(table: name, options: options, body: body)
  }

  /// Creates an index, with flags instead of options: see
  /// ``create(index:on:columns:options:condition:)``.
  ///
  ///     try db.create(index: "byEmail", on: "users", columns: ["email"], unique: true)
  ///     // CREATE UNIQUE INDEX "byEmail" ON "users"("email")
  ///
  /// It compiles migrations that were written for GRDB. In new code, use the options.
  ///
  /// - Parameters:
  ///   - name: The name of the index.
  ///   - table: The table.
  ///   - columns: The columns, usually with the most selective one first.
  ///   - unique: Whether the index refuses rows with equal values.
  ///   - ifNotExists: Whether to do nothing when the index already exists.
  ///   - condition: Which rows the index covers; all rows by default.
  /// - Throws: The errors of ``create(index:on:columns:options:condition:)``.
  @_disfavoredOverload
  public func create(
    index name: String,
    on table: String,
    columns: [String],
    unique: Bool = false,
    ifNotExists: Bool = false,
    condition: (any SQLExpressible)? = nil
  ) throws {
    var options: IndexOptions = []
    if unique { options.insert(.unique) }
    if ifNotExists { options.insert(.ifNotExists) }
    try create(index: name, on: table, columns: columns, options: options, condition: condition)
  }

  /// Creates a virtual table, with a flag instead of options: see
  /// ``create(virtualTable:options:using:)``.
  ///
  ///     try db.create(virtualTable: "area", ifNotExists: true, using: "rtree(id, minX, maxX)")
  ///     // CREATE VIRTUAL TABLE IF NOT EXISTS "area" USING rtree(id, minX, maxX)
  ///
  /// - Throws: ``DatabaseError``, for example when SQLite does not know the module.
  @_disfavoredOverload
  public func create(
    virtualTable name: String,
    ifNotExists: Bool,
    using module: String
  ) throws {
    let options: VirtualTableOptions = ifNotExists ? .ifNotExists : []
    try create(virtualTable: name, options: options, using: module)
  }

  /// Creates a virtual table with a definition in Swift, with a flag instead of options: see
  /// ``create(virtualTable:options:using:_:)``.
  ///
  ///     try db.create(virtualTable: "document", ifNotExists: true, using: FTS5()) { t in
  ///       t.column("content")
  ///     }
  ///     // CREATE VIRTUAL TABLE IF NOT EXISTS "document" USING fts5(content)
  ///
  /// - Throws: Any error of `body` and of the module, and ``DatabaseError``.
  @_disfavoredOverload
  public func create<Module: VirtualTableModule>(
    virtualTable name: String,
    ifNotExists: Bool,
    using module: Module,
    _ body: (Module.TableDefinition) throws -> Void = { _ in }
  ) throws {
    let options: VirtualTableOptions = ifNotExists ? .ifNotExists : []
    try create(virtualTable: name, options: options, using: module, body)
  }
}
