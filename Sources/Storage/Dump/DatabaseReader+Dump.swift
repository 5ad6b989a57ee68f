extension DatabaseReader {
  /// Writes the rows of SQL statements, which must only read: see
  /// ``Database/dumpSQL(_:format:to:)``.
  ///
  /// - Throws: ``DatabaseError``.
  public func dumpSQL(
    _ sql: SQL,
    format: some DumpFormat = .debug(),
    to stream: (any TextOutputStream)? = nil
  ) throws {
    try unsafeReentrantRead { try $0.dumpSQL(sql, format: format, to: stream) }
  }

  /// Writes the rows of a request: see ``Database/dumpRequest(_:format:to:)``.
  ///
  /// - Throws: ``DatabaseError``.
  public func dumpRequest(
    _ request: some FetchRequest,
    format: some DumpFormat = .debug(),
    to stream: (any TextOutputStream)? = nil
  ) throws {
    try unsafeReentrantRead { try $0.dumpRequest(request, format: format, to: stream) }
  }

  /// Writes the rows of tables and views: see
  /// ``Database/dumpTables(_:format:tableHeader:stableOrder:to:)``.
  ///
  /// - Throws: ``DatabaseError``.
  public func dumpTables(
    _ tables: [String],
    format: some DumpFormat = .debug(),
    tableHeader: DumpTableHeader = .automatic,
    stableOrder: Bool = false,
    to stream: (any TextOutputStream)? = nil
  ) throws {
    try unsafeReentrantRead {
      try $0.dumpTables(
        tables,
        format: format,
        tableHeader: tableHeader,
        stableOrder: stableOrder,
        to: stream
      )
    }
  }

  /// Writes the schema, and the rows of all tables: see ``Database/dumpContent(format:to:)``.
  ///
  /// - Throws: ``DatabaseError``.
  public func dumpContent(
    format: some DumpFormat = .debug(),
    to stream: (any TextOutputStream)? = nil
  ) throws {
    try unsafeReentrantRead { try $0.dumpContent(format: format, to: stream) }
  }

  /// Writes the statements that create the schema: see ``Database/dumpSchema(to:)``.
  ///
  /// - Throws: ``DatabaseError``.
  public func dumpSchema(to stream: (any TextOutputStream)? = nil) throws {
    try unsafeReentrantRead { try $0.dumpSchema(to: stream) }
  }
}
