internal import CWellspringSQLite

/// A row of a result.
///
///     let rows = try Row.fetchAll(db, sql: "SELECT id, name FROM item")
///     for row in rows {
///       let id: Int64 = row["id"]
///       let name: String? = row[1]
///     }
///
/// A fetched row is an immutable copy, and can be used by any thread. The row that a cursor yields is
/// the cursor's window on the database: the next step of the cursor changes it, so take a
/// ``copy()`` of a row to keep.
public final class Row: @unchecked Sendable {
  // Safe to share: a copy is immutable. A live row is confined to its access by contract; its
  // statement checks thread and access at every run.

  /// The statement that a live row belongs to, or `nil` for a copy.
  private let statement: Statement?
  @usableFromInline let sqliteStatement: OpaquePointer?
  /// The values of a copy.
  private let values: [DatabaseValue]
  @usableFromInline let layout: RowLayout
  @usableFromInline let columnCount: Int
  /// The row that this one shows in another form, and how.
  let adapted: (base: Row, adaptation: RowAdaptation)?
  /// The run of the statement that a live row shows.
  private let run: UInt

  /// Finds the columns of a live row by name. The row owns it.
  @usableFromInline let lookup: ColumnLookup?
  /// Decodes the rows of a live row's statement into `Decodable` types.
  @exclusivity(unchecked) var decoding: RowDecoding?

  /// The window of a cursor.
  @usableFromInline
  init(liveIn statement: Statement) {
    self.statement = statement
    sqliteStatement = statement.sqliteStatement
    values = []
    layout = statement.layout
    columnCount = layout.columnNames.count
    run = statement.runNumber
    lookup = ColumnLookup(layout: layout)
    adapted = nil
  }

  init(layout: RowLayout, values: [DatabaseValue]) {
    statement = nil
    sqliteStatement = nil
    self.layout = layout
    self.values = values
    columnCount = values.count
    run = 0
    lookup = nil
    adapted = nil
  }

  /// Another form of a row, live or not. It has no statement, so that it takes the way of the copies, and
  /// rows without adapters need not ask whether they have one.
  ///
  /// `isWindow` tells that the row will serve all rows of a cursor, and gains by remembering names.
  init(base: Row, adaptation: RowAdaptation, isWindow: Bool = false) {
    statement = nil
    sqliteStatement = nil
    layout = adaptation.layout
    values = []
    columnCount = adaptation.baseColumns.count
    run = 0
    lookup = isWindow ? ColumnLookup(layout: adaptation.layout) : nil
    adapted = (base, adaptation)
  }

  /// The window of a cursor, as an adapter shows it.
  @usableFromInline
  static func live(in statement: Statement, _ adapter: (any RowAdapter)?) throws -> Row {
    let row = Row(liveIn: statement)
    guard let adapter else { return row }
    return Row(
      base: row,
      adaptation: try RowAdaptation(adapter, of: row.layout),
      isWindow: true
    )
  }

  deinit {
    lookup?.deallocate()
  }

  /// Makes a row of names and values.
  public convenience init(_ columns: KeyValuePairs<String, (any DatabaseValueConvertible)?>) {
    self.init(
      layout: RowLayout(columnNames: columns.map(\.key)),
      values: columns.map { $0.value?.databaseValue ?? .null }
    )
  }

  /// Tells a live row that its statement has moved on.
  @inlinable
  func rewind() { lookup?.rewind() }

  /// Stops debug builds when a live row is read after its cursor has ended.
  @usableFromInline
  func checkIsLive() {
    assert(
      statement.map { $0.isRunning && $0.runNumber == run } ?? true,
      "A row was read after its cursor had ended, or outside of its access. Keep a copy() of it."
    )
  }

  /// Whether the row changes with its cursor.
  var isLive: Bool { statement != nil || adapted?.base.isLive == true }

  /// The SQL that the row comes from, for errors.
  var sql: String? { adapted?.base.sql ?? statement?.sql }
}

// MARK: - Columns

extension Row {
  /// How many columns the row has.
  public var count: Int { columnCount }

  /// The names of the columns, from left to right. A name may come several times.
  public var columnNames: [String] { layout.columnNames }

  /// Returns whether the row has a column of this name, in whatever case.
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

  /// Runs one of two closures over a column, depending on where its value is.
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

  /// Returns an immutable copy of the row, which may leave the access.
  public func copy() -> Row {
    if sqliteStatement != nil { return Row(layout: layout, values: databaseValues) }
    guard let adapted else { return self }
    let base = adapted.base.copy()
    return base === adapted.base ? self : Row(base: base, adaptation: adapted.adaptation)
  }

  /// The leftmost column of this name.
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
      "Column index \(index) is out of range: the row has \(count) columns."
    )
  }
}

// MARK: - Decoding

extension Row {
  /// The value of a column, counted from 0.
  ///
  /// - Precondition: There is such a column, and its value fits the type: an `Optional` takes NULL.
  ///   Use ``decode(_:atIndex:)`` for values that may not fit.
  @inlinable
  public subscript<Value: DatabaseValueConvertible>(_ index: Int) -> Value {
    if let sqliteStatement, index >= 0, index < columnCount,
      let value = Value.fromColumnValue(
        ColumnValue(sqliteStatement, Int32(truncatingIfNeeded: index))
      )
    {
      return value
    }
    return decodeOrStop(index)
  }

  /// The value of the leftmost column of this name, in whatever case.
  ///
  /// - Precondition: There is such a column, and its value fits the type: an `Optional` takes NULL.
  ///   Use ``decode(_:forColumn:)-(_,String)`` for values that may not fit.
  @inlinable
  public subscript<Value: DatabaseValueConvertible>(_ name: String) -> Value {
    guard let index = index(ofColumn: name) else { stopAtMissingColumn(name, Value.self) }
    return self[index]
  }

  /// Decodes the value of a column, counted from 0.
  ///
  /// - Throws: ``RowDecodingError`` when there is no such column, or its value does not fit.
  @inlinable
  public func decode<Value: DatabaseValueConvertible>(
    _ type: Value.Type = Value.self,
    atIndex index: Int
  ) throws -> Value {
    if let sqliteStatement, index >= 0, index < columnCount,
      let value = Value.fromColumnValue(
        ColumnValue(sqliteStatement, Int32(truncatingIfNeeded: index))
      )
    {
      return value
    }
    return try decodeCopied(type, atIndex: index)
  }

  /// Decodes the value of the column of this name, in whatever case.
  ///
  /// - Throws: ``RowDecodingError`` when there is no such column or several are, or when its value does
  ///   not fit.
  @inlinable
  public func decode<Value: DatabaseValueConvertible>(
    _ type: Value.Type = Value.self,
    forColumn name: String
  ) throws -> Value {
    guard let index = index(ofColumn: name) else { throw missingColumn(name, type) }
    if layout.isAmbiguous(index) { throw ambiguousColumn(name, type) }
    return try decode(type, atIndex: index)
  }

  /// The value of a column of a copy; and of a live row, to say why it does not fit.
  @usableFromInline
  func decodeCopied<Value: DatabaseValueConvertible>(
    _ type: Value.Type,
    atIndex index: Int
  ) throws -> Value {
    guard index >= 0, index < count else { throw missingColumn("\(index)", type) }
    if let decoded = withColumn(
      at: index,
      live: Value.fromColumnValue,
      copied: Value.fromDatabaseValue
    ) {
      return decoded
    }
    throw misfit(atIndex: index, type)
  }

  /// The error of a column whose value does not fit.
  func misfit(atIndex index: Int, _ type: Any.Type) -> RowDecodingError {
    let value = databaseValue(at: index)
    return RowDecodingError(
      reason: value.isNull ? .unexpectedNull : .mismatch,
      column: columnNames[index],
      expectedType: type,
      value: value,
      availableColumns: columnNames,
      sql: sql
    )
  }

  @usableFromInline
  func decodeOrStop<Value: DatabaseValueConvertible>(_ index: Int) -> Value {
    do {
      return try decodeCopied(Value.self, atIndex: index)
    } catch {
      stop(error)
    }
  }

  @usableFromInline
  func missingColumn(_ name: String, _ type: Any.Type) -> RowDecodingError {
    RowDecodingError(
      reason: .missingColumn,
      column: name,
      expectedType: type,
      value: nil,
      availableColumns: columnNames,
      sql: sql
    )
  }

  @usableFromInline
  func ambiguousColumn(_ name: String, _ type: Any.Type) -> RowDecodingError {
    RowDecodingError(
      reason: .ambiguousColumn,
      column: name,
      expectedType: type,
      value: nil,
      availableColumns: columnNames,
      sql: sql
    )
  }

  /// The error of a column whose value does not fit.
  func mismatch(_ name: String, _ type: Any.Type) -> RowDecodingError {
    let value = index(ofColumn: name).map(databaseValue(at:))
    return RowDecodingError(
      reason: value?.isNull == true ? .unexpectedNull : .mismatch,
      column: name,
      expectedType: type,
      value: value,
      availableColumns: columnNames,
      sql: sql
    )
  }

  @usableFromInline
  func stopAtMissingColumn(_ name: String, _ type: Any.Type) -> Never {
    stop(missingColumn(name, type))
  }

  private func stop(_ error: any Error) -> Never {
    fatalError("\(error). Use row.decode(…) to get an error that can be caught.")
  }
}

// MARK: - Comparison and description

extension Row: Hashable {
  /// Returns whether both rows have the same names and values in the same order, and equal scopes.
  public static func == (left: Row, right: Row) -> Bool {
    guard left.layout === right.layout || left.columnNames == right.columnNames,
      left.databaseValues == right.databaseValues
    else { return false }
    guard left.adapted != nil || right.adapted != nil else { return true }
    return left.scopes.elementsEqual(right.scopes) { $0.name == $1.name && $0.row == $1.row }
  }

  /// Hashes names and values.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(columnNames)
    hasher.combine(databaseValues)
  }
}

extension Row: CustomStringConvertible {
  /// Names and values: `[id:1 name:'cup']`.
  public var description: String {
    "[" + zip(columnNames, databaseValues).map { "\($0):\($1)" }.joined(separator: " ") + "]"
  }
}
