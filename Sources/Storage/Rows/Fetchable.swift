/// A type as which the rows of a query can be fetched: a ``Row``, a value or a record.
///
///     let items = try Item.fetchAll(db, sql: "SELECT * FROM item")
///     let cheap = "SELECT name FROM item WHERE price < ?"
///     let names = try String.fetchAll(db, sql: cheap, arguments: [10])
///     let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM item")
///
/// Types conform through ``FetchableRecord`` or ``DatabaseValueConvertible``.
public protocol Fetchable {
  /// Creates an element from a row. The row is valid only during the call.
  ///
  /// - Throws: An error when the row cannot be decoded.
  static func fetched(from row: Row) throws -> Self

  /// Creates the element of `fetchOne`, or returns `nil` for a row that represents no element, such
  /// as a NULL value.
  ///
  /// - Throws: An error when the row cannot be decoded.
  static func fetchedOne(from row: Row) throws -> Self?
}

extension Fetchable {
  /// Creates an element with ``fetched(from:)``.
  @inlinable
  public static func fetchedOne(from row: Row) throws -> Self? { try fetched(from: row) }
}

extension Fetchable where Self: DatabaseValueConvertible {
  /// Decodes the value of the leftmost column.
  ///
  /// - Throws: ``RowDecodingError`` when the value does not fit the type.
  @inlinable
  public static func fetched(from row: Row) throws -> Self {
    try row.decode(Self.self, atIndex: 0)
  }

  /// Decodes the value of the leftmost column, or returns `nil` for NULL.
  ///
  /// - Throws: ``RowDecodingError`` when the value does not fit the type.
  @inlinable
  public static func fetchedOne(from row: Row) throws -> Self? {
    try row.decode(Self?.self, atIndex: 0)
  }
}

// MARK: - Fetching from SQL

extension Fetchable {
  /// Returns a cursor over the elements of a query. The database computes each element when it is
  /// requested.
  ///
  /// - Throws: ``DatabaseError`` when the SQL or its arguments are wrong. ``Cursor/next()`` throws
  ///   the errors of individual rows.
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
  /// - Throws: ``DatabaseError`` when the query fails, and decoding errors: ``RowDecodingError``
  ///   for values and for `Decodable` records.
  @inlinable
  public static func fetchAll(
    _ db: Database,
    sql: String,
    arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)? = nil
  ) throws -> [Self] {
    try fetchAll(db.cachedStatement(sql: sql), arguments: arguments, adapter: adapter)
  }

  /// Fetches the element of the first row of a query, or `nil` when there is no row or its value is
  /// NULL.
  ///
  /// - Throws: ``DatabaseError`` when the query fails, and decoding errors.
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
  /// - Throws: ``DatabaseError`` when the query fails, and decoding errors.
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
  /// Returns a cursor over the elements of a statement. The database computes each element when it
  /// is requested.
  ///
  /// Without arguments, the statement runs with its current arguments.
  ///
  /// - Throws: ``DatabaseError`` when the arguments do not match the statement's parameters.
  public static func fetchCursor(
    _ statement: Statement,
    arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)? = nil
  ) throws -> DecodingCursor<Self> {
    if let arguments { try statement.setArguments(arguments) }
    return DecodingCursor(statement, adapter)
  }

  /// Fetches all elements of a statement.
  ///
  /// Without arguments, the statement runs with its current arguments.
  ///
  /// - Throws: ``DatabaseError`` when the query fails, and decoding errors.
  @inlinable
  public static func fetchAll(
    _ statement: Statement,
    arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)? = nil
  ) throws -> [Self] {
    if let arguments { try statement.setArguments(arguments) }
    if statement.isIntercepted,
      let elements = try statement.interceptedElements(Self.self, adapter)
    {
      return elements
    }
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

  /// Fetches the element of a statement's first row, or `nil` when there is no row or its value is
  /// NULL.
  ///
  /// Without arguments, the statement runs with its current arguments.
  ///
  /// - Throws: ``DatabaseError`` when the query fails, and decoding errors.
  @inlinable
  public static func fetchOne(
    _ statement: Statement,
    arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)? = nil
  ) throws -> Self? {
    if let arguments { try statement.setArguments(arguments) }
    if statement.isIntercepted,
      let element = try statement.interceptedElement(Self.self, adapter)
    {
      return element
    }
    defer { statement.reset() }
    guard try statement.firstStep() else { return nil }
    let element = try fetchedOne(from: Row.live(in: statement, adapter))
    // The writes of a statement are checked and committed when it has run to its end.
    if !statement.isReadonly { while try statement.step() {} }
    return element
  }
}

extension Fetchable where Self: Hashable {
  /// Fetches the distinct elements of a statement.
  ///
  /// Without arguments, the statement runs with its current arguments.
  ///
  /// - Throws: ``DatabaseError`` when the query fails, and decoding errors.
  @inlinable
  public static func fetchSet(
    _ statement: Statement,
    arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)? = nil
  ) throws -> Set<Self> {
    try Set(fetchAll(statement, arguments: arguments, adapter: adapter))
  }
}

extension Row: Fetchable {
  /// Returns a copy of the row, with its associated rows.
  ///
  /// - Throws: ``DatabaseError`` when the associated rows cannot be fetched.
  public static func fetched(from row: Row) throws -> Self {
    unsafeDowncast(try row.fetchedCopy(), to: Self.self)
  }

  /// Returns a cursor over the rows of a query.
  ///
  /// - Throws: ``DatabaseError`` when the SQL or its arguments are wrong. ``Cursor/next()`` throws
  ///   the errors of individual rows.
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

  /// Returns a cursor over the rows of a statement.
  ///
  /// Without arguments, the statement runs with its current arguments.
  ///
  /// - Throws: ``DatabaseError`` when the arguments do not match the statement's parameters.
  public static func fetchCursor(
    _ statement: Statement,
    arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)? = nil
  ) throws -> RowCursor {
    if let arguments { try statement.setArguments(arguments) }
    return RowCursor(statement, adapter)
  }
}
