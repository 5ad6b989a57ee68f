/// What the rows of a query can be fetched as: a ``Row``, a value or a record.
///
///     let items = try Item.fetchAll(db, sql: "SELECT * FROM item")
///     let names = try String.fetchAll(db, sql: "SELECT name FROM item WHERE price < ?", arguments: [10])
///     let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM item")
///
/// Types conform by way of ``FetchableRecord`` or ``DatabaseValueConvertible``.
public protocol Fetchable {
  /// Makes an element of a row. The row is valid during the call only.
  ///
  /// - Throws: An error when the row does not fit.
  static func fetched(from row: Row) throws -> Self

  /// Makes the only element that is asked for, or `nil` for a row that stands for none: one whose value
  /// is NULL.
  ///
  /// - Throws: An error when the row does not fit.
  static func fetchedOne(from row: Row) throws -> Self?
}

extension Fetchable {
  /// Makes an element, as ``fetched(from:)`` does.
  @inlinable
  public static func fetchedOne(from row: Row) throws -> Self? { try fetched(from: row) }
}

extension Row: Fetchable {
  /// Copies the row.
  public static func fetched(from row: Row) -> Self {
    unsafeDowncast(row.copy(), to: Self.self)
  }

  /// Fetches the rows of a query, one by one: see ``RowCursor``.
  ///
  /// - Throws: ``DatabaseError`` when the SQL or its arguments are wrong; what the rows give comes with
  ///   ``Cursor/next()``.
  public static func fetchCursor(
    _ db: Database,
    sql: String,
    arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)? = nil
  ) throws -> RowCursor {
    let statement = try db.cachedStatement(sql: sql)
    try statement.setArguments(arguments)
    return RowCursor(statement, adapter)
  }

  /// Fetches the rows of a statement, one by one: see ``RowCursor``. Without arguments, those that are
  /// bound already count.
  ///
  /// - Throws: ``DatabaseError`` when the arguments do not fit.
  public static func fetchCursor(
    _ statement: Statement,
    arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)? = nil
  ) throws -> RowCursor {
    if let arguments { try statement.setArguments(arguments) }
    return RowCursor(statement, adapter)
  }
}

extension Fetchable where Self: DatabaseValueConvertible {
  /// Decodes the value of the leftmost column.
  ///
  /// - Throws: ``RowDecodingError`` when it does not fit.
  @inlinable
  public static func fetched(from row: Row) throws -> Self {
    try row.decode(Self.self, atIndex: 0)
  }

  /// Decodes the value of the leftmost column, or returns `nil` for NULL.
  ///
  /// - Throws: ``RowDecodingError`` when it does not fit.
  @inlinable
  public static func fetchedOne(from row: Row) throws -> Self? {
    try row.decode(Self?.self, atIndex: 0)
  }
}

// MARK: - Fetching from SQL

extension Fetchable {
  /// Fetches the elements of a query, one by one, as the database finds them.
  ///
  /// - Throws: ``DatabaseError`` when the SQL or its arguments are wrong; what the rows give comes with
  ///   ``Cursor/next()``.
  public static func fetchCursor(
    _ db: Database,
    sql: String,
    arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)? = nil
  ) throws -> DecodingCursor<Self> {
    let statement = try db.cachedStatement(sql: sql)
    try statement.setArguments(arguments)
    return DecodingCursor(statement, adapter)
  }

  /// Fetches all elements of a query.
  ///
  /// - Throws: ``DatabaseError`` when the query fails, and what decoding throws:
  ///   ``RowDecodingError`` for values and for `Decodable` records.
  @inlinable
  public static func fetchAll(
    _ db: Database,
    sql: String,
    arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)? = nil
  ) throws -> [Self] {
    try fetchAll(db.cachedStatement(sql: sql), arguments: arguments, adapter: adapter)
  }

  /// Fetches the element of the first row of a query, or `nil` when there is no row, or its value is NULL.
  ///
  /// - Throws: ``DatabaseError`` when the query fails, and what decoding throws.
  @inlinable
  public static func fetchOne(
    _ db: Database,
    sql: String,
    arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)? = nil
  ) throws -> Self? {
    try fetchOne(db.cachedStatement(sql: sql), arguments: arguments, adapter: adapter)
  }
}

extension Fetchable where Self: Hashable {
  /// Fetches the distinct elements of a query.
  ///
  /// - Throws: ``DatabaseError`` when the query fails, and what decoding throws.
  @inlinable
  public static func fetchSet(
    _ db: Database,
    sql: String,
    arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)? = nil
  ) throws -> Set<Self> {
    try fetchSet(db.cachedStatement(sql: sql), arguments: arguments, adapter: adapter)
  }
}

// MARK: - Fetching from a statement

extension Fetchable {
  /// Fetches the elements of a statement's rows, one by one, as the database finds them. Without
  /// arguments, those that are bound already count.
  ///
  /// - Throws: ``DatabaseError`` when the arguments do not fit.
  public static func fetchCursor(
    _ statement: Statement,
    arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)? = nil
  ) throws -> DecodingCursor<Self> {
    if let arguments { try statement.setArguments(arguments) }
    return DecodingCursor(statement, adapter)
  }

  /// Fetches the elements of all of a statement's rows. Without arguments, those that are bound already
  /// count.
  ///
  /// - Throws: ``DatabaseError`` when the query fails, and what decoding throws.
  @inlinable
  public static func fetchAll(
    _ statement: Statement,
    arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)? = nil
  ) throws -> [Self] {
    if let arguments { try statement.setArguments(arguments) }
    defer { statement.reset() }
    var elements: [Self] = []
    guard try statement.firstStep() else { return elements }
    let row = try Row.live(in: statement, adapter)
    repeat {
      elements.append(try fetched(from: row))
      row.rewind()
    } while try statement.step()
    return elements
  }

  /// Fetches the element of a statement's first row, or `nil` when there is no row, or its value is NULL.
  /// Without arguments, those that are bound already count.
  ///
  /// - Throws: ``DatabaseError`` when the query fails, and what decoding throws.
  @inlinable
  public static func fetchOne(
    _ statement: Statement,
    arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)? = nil
  ) throws -> Self? {
    if let arguments { try statement.setArguments(arguments) }
    defer { statement.reset() }
    guard try statement.firstStep() else { return nil }
    return try fetchedOne(from: Row.live(in: statement, adapter))
  }
}

extension Fetchable where Self: Hashable {
  /// Fetches the distinct elements of a statement's rows. Without arguments, those that are bound already
  /// count.
  ///
  /// - Throws: ``DatabaseError`` when the query fails, and what decoding throws.
  @inlinable
  public static func fetchSet(
    _ statement: Statement,
    arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)? = nil
  ) throws -> Set<Self> {
    try Set(fetchAll(statement, arguments: arguments, adapter: adapter))
  }
}
