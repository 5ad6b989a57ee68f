/// A row of a result.
///
///     let rows = try Row.fetchAll(db, sql: "SELECT id, name FROM item")
///     for row in rows {
///       let id: Int64 = row["id"]
///       let name: String? = row[1]
///     }
///
/// A fetched row is an immutable copy and can be used by any thread. The row that a cursor yields
/// is *live*: it shows the current row of the statement and changes with the cursor's next step.
/// Take a ``copy()`` to keep it.
public final class Row: @unchecked Sendable {
  // Safe to share: a copy is immutable. A live row is confined to its access by contract; its
  // statement checks the thread and the access at every run.

  /// The statement that a live row belongs to, or `nil` for a copy.
  private let statement: Statement?
  @usableFromInline let sqliteStatement: OpaquePointer?
  /// The values of a copy.
  private let values: [DatabaseValue]
  @usableFromInline let layout: RowLayout
  let columnCount: Int
  /// The number of columns that SQLite holds: none unless the row is live. A copy needs no check of
  /// its own at each value, because it has no such column.
  @usableFromInline let liveColumnCount: UInt
  /// The row that this row presents in another form, and how; `nil` without an adapter.
  let adapted: (base: Row, adaptation: RowAdaptation)?
  /// The run of the statement to which a live row belongs.
  private let run: UInt

  /// Finds the columns of a live row by name. The row owns it.
  @usableFromInline let lookup: ColumnLookup?
  /// Decodes the live row, at each step, into the `Decodable` type that was decoded last.
  @exclusivity(unchecked) var decoding: Unmanaged<RowDecoding>?
  /// The decodings of the live row into each `Decodable` type. The row keeps them to its end: they
  /// run without a reference of their own.
  @exclusivity(unchecked) var decodings: [ObjectIdentifier: RowDecoding] = [:]
  /// The associated rows, where a request includes some. It is set once, before the row is used.
  @exclusivity(unchecked) var prefetched: RowPrefetch?

  /// Creates the live row of a statement.
  @usableFromInline
  init(liveIn statement: Statement) {
    self.statement = statement
    sqliteStatement = statement.sqliteStatement
    values = []
    layout = statement.layout
    columnCount = layout.columnNames.count
    liveColumnCount = UInt(columnCount)
    run = statement.lastRun.number
    lookup = ColumnLookup(layout: layout)
    adapted = nil
  }

  init(layout: RowLayout, values: [DatabaseValue]) {
    statement = nil
    sqliteStatement = nil
    self.layout = layout
    self.values = values
    columnCount = values.count
    liveColumnCount = 0
    run = 0
    lookup = nil
    adapted = nil
  }

  /// Creates an adapted form of a row, live or copied.
  ///
  /// An adapted row has no statement of its own. So it is read like a copy, and the fast path of
  /// rows without an adapter need not check for one.
  ///
  /// `isReused` says whether the row serves all steps of a cursor, so that caching names pays off.
  init(base: Row, adaptation: RowAdaptation, isReused: Bool = false) {
    statement = nil
    sqliteStatement = nil
    layout = adaptation.layout
    values = []
    columnCount = adaptation.baseColumns.count
    liveColumnCount = 0
    run = 0
    lookup = isReused ? ColumnLookup(layout: adaptation.layout) : nil
    adapted = (base, adaptation)
  }

  /// Returns the live row of a statement, in the form of an adapter.
  @usableFromInline
  static func live(in statement: Statement, _ adapter: (any RowAdapter)?) throws -> Row {
    let row = Row(liveIn: statement)
    guard let adapter else { return row }
    return Row(
      base: row,
      adaptation: try RowAdaptation(adapter, of: row.layout),
      isReused: true
    )
  }

  deinit {
    lookup?.deallocate()
  }

  /// Creates a row from names and values.
  public convenience init(_ columns: KeyValuePairs<String, (any DatabaseValueConvertible)?>) {
    self.init(
      layout: RowLayout(columnNames: columns.map(\.key)),
      values: columns.map { $0.value?.databaseValue ?? .null }
    )
  }

  /// Prepares a live row for the next row of its statement.
  @inlinable
  func rewind() { lookup?.rewind() }

  /// Stops debug builds when a live row is read after its cursor has ended.
  @usableFromInline
  func checkIsLive() {
    assert(
      statement.map { $0.isRunning && $0.lastRun.number == run } ?? true,
      "A row was read after its cursor had ended, or outside its access. Keep a copy() instead."
    )
  }

  /// Whether the row changes with its cursor.
  var isLive: Bool { statement != nil || adapted?.base.isLive == true }

  /// The SQL of the row's query, for error messages.
  var sql: String? { adapted?.base.sql ?? statement?.sql }
}

// MARK: - Columns

extension Row {
  /// The number of columns.
  public var count: Int { columnCount }

  /// The names of the columns, from left to right. Several columns may have the same name.
  public var columnNames: [String] { layout.columnNames }

  /// Returns whether the row has a column with this name, ignoring case.
  public func hasColumn(_ name: String) -> Bool { layout.index(ofColumn: name) != nil }

  /// The values of all columns, from left to right.
  public var databaseValues: [DatabaseValue] {
    statement == nil && adapted == nil ? values : (0..<count).map { databaseValue(at: $0) }
  }

  /// Returns the value of a column.
  ///
  /// - Precondition: The row has a column `index`.
  public func databaseValue(at index: Int) -> DatabaseValue {
    withColumn(at: index, live: { $0.databaseValue }, copied: { $0 })
  }

  /// Returns whether a column holds NULL. No value is copied or converted.
  ///
  /// - Precondition: The row has a column `index`.
  public func hasNull(atIndex index: Int) -> Bool {
    withColumn(at: index, live: { $0.isNull }, copied: { $0.isNull })
  }

  /// Whether a column of the row, or of a scope, holds a value other than NULL.
  ///
  /// The row of an outer join without a match holds only NULL.
  public var containsNonNullValue: Bool {
    (0..<count).contains { !hasNull(atIndex: $0) }
      || scopes.contains { $0.row.containsNonNullValue }
  }

  /// Calls one of two closures with a value, depending on where the value is stored.
  func withColumn<Result>(
    at index: Int,
    live: (ColumnValue) throws -> Result,
    copied: (DatabaseValue) throws -> Result
  ) rethrows -> Result {
    checkIndex(index)
    if let sqliteStatement {
      checkIsLive()
      return try live(ColumnValue(sqliteStatement, Int32(index)))
    }
    guard let adapted else { return try copied(values[index]) }
    let baseIndex = adapted.adaptation.baseColumns[index]
    return try adapted.base.withColumn(at: baseIndex, live: live, copied: copied)
  }

  /// Returns an immutable copy of the row, which may be used outside the access.
  public func copy() -> Row {
    if sqliteStatement != nil { return Row(layout: layout, values: databaseValues) }
    if case .pending = unadapted.prefetched { return copyWithAssociatedRows() }
    guard let adapted else { return self }
    let base = adapted.base.copy()
    return base === adapted.base ? self : Row(base: base, adaptation: adapted.adaptation)
  }

  /// Returns the leftmost column with this name.
  @inlinable
  func index(ofColumn name: String) -> Int? {
    if let lookup { return lookup.column(name) }
    return indexInCopy(ofColumn: name)
  }

  @usableFromInline
  func indexInCopy(ofColumn name: String) -> Int? { layout.index(ofColumn: name) }

  private func checkIndex(_ index: Int) {
    precondition(
      index >= 0 && index < count,
      """
      Column index \(index) is out of range: the row has \(count) columns. Use \
      row.decode(_:atIndex:) to get an error that can be caught.
      """
    )
  }
}

// MARK: - Comparison and description

extension Row: Hashable {
  /// Returns whether both rows have the same names and values in the same order, and equal scopes.
  public static func == (left: Row, right: Row) -> Bool {
    guard left.layout === right.layout || left.columnNames == right.columnNames,
      left.databaseValues == right.databaseValues
    else { return false }
    guard left.prefetchedRows == right.prefetchedRows else { return false }
    guard left.adapted != nil || right.adapted != nil else { return true }
    return left.scopes.elementsEqual(right.scopes) { $0.name == $1.name && $0.row == $1.row }
  }

  /// Hashes the names and values.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(columnNames)
    hasher.combine(databaseValues)
  }
}

extension Row: CustomStringConvertible {
  /// The names and values: `[id:1 name:'cup']`.
  public var description: String {
    "[" + zip(columnNames, databaseValues).map { "\($0):\($1)" }.joined(separator: " ") + "]"
  }
}
