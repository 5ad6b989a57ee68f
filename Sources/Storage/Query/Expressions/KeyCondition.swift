internal import FoundationEssentials

/// A condition on the key of a row, whose columns are looked up in the schema when the statement is
/// written: `"id" = 1`, `"id" IN (1, 2)`, `("playerID" = 1) AND ("countryCode" = 'FR')`.
struct KeyCondition: ExpressionPart {
  enum Keys: Hashable {
    /// Values of a single-column primary key.
    case primary([KeyValue])
    /// Values of the columns of a primary key or a unique index, by column name.
    case unique([[String: KeyValue]])

    fileprivate var dependOnColumns: Bool {
      switch self {
      case .primary(let values): values.contains(where: \.dependsOnColumn)
      case .unique(let keys): keys.contains { $0.values.contains(where: \.dependsOnColumn) }
      }
    }
  }

  let keys: Keys
  /// The type that says how its columns store values, if that matters.
  private let recordType: RecordType?

  /// - Parameters:
  ///   - keys: The keys.
  ///   - rowType: The type of the rows.
  init(_ keys: Keys, of rowType: Any.Type) {
    self.keys = keys
    recordType =
      keys.dependOnColumns ? (rowType as? any EncodableRecord.Type).map(RecordType.init) : nil
  }

  /// Whether at most one row matches.
  var isSingle: Bool {
    switch keys {
    case .primary(let values): values.count == 1
    case .unique(let keys): keys.count == 1
    }
  }

  func write(to context: inout SQLContext) throws {
    guard let db = context.db else { return try schemalessCondition().node.write(to: &context) }
    let table = try context.keyedTable
    try condition(db.tableInfo(table.tableName), table.tableName).node.write(to: &context)
  }

  /// The condition without a schema, for display only.
  private func schemalessCondition() throws -> SQLExpression {
    switch keys {
    case .primary(let values):
      let key = SQLExpression(PrimaryKeyColumns())
      let stored = try values.map { try self.stored($0, in: "id") }
      return stored.count == 1 ? key == stored[0] : stored.contains(key)
    case .unique(let keys):
      return .chain(
        .or,
        try keys.map { key in
          let columns = key.sorted { $0.key < $1.key }
          return SQLExpression.chain(
            .and,
            try columns.map { (Column($0.key) == (try stored($0.value, in: $0.key))).node }
          ).node
        }
      )
    }
  }

  private func stored(_ value: KeyValue, in column: String) throws -> DatabaseValue {
    try value.databaseValue(in: column, of: recordType?.type)
  }

  private func condition(_ table: TableInfo, _ name: String) throws -> SQLExpression {
    switch keys {
    case .primary(let values):
      let columns = try table.requiredPrimaryKey(name).columns
      guard columns.count == 1 else {
        throw DatabaseError(
          resultCode: .SQLITE_MISUSE,
          message: """
            the primary key of \(name) has several columns: give a key with the values of \
            \(columns.joined(separator: ", "))
            """
        )
      }
      let column = Column(columns[0])
      let stored = try values.map { try self.stored($0, in: columns[0]) }
      return stored.count == 1 ? column == stored[0] : stored.contains(column)
    case .unique(let keys):
      return .chain(.or, try keys.map { try condition($0, table, name).node })
    }
  }

  private func condition(
    _ key: [String: KeyValue],
    _ table: TableInfo,
    _ name: String
  ) throws -> SQLExpression {
    guard table.hasUniqueKey(within: key.keys) else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: """
          the table \(name) has no primary key and no unique index on \
          \(key.keys.sorted().joined(separator: ", "))
          """
      )
    }
    // The columns in the order of the table, so that equal keys give equal SQL.
    let order = table.columns.map(\.name.asciiLowercased)
    let columns = key.sorted { left, right in
      let positions = [left, right].map { order.firstIndex(of: $0.key.asciiLowercased) ?? -1 }
      return positions[0] < positions[1]
    }
    return .chain(
      .and,
      try columns.map { key, value in
        let column = table.columnName(key) ?? key
        return (Column(column) == (try stored(value, in: column))).node
      }
    )
  }
}

/// A record type. All types are Sendable, unless they say that their conformances are not.
private struct RecordType: Hashable, @unchecked Sendable {
  let type: any EncodableRecord.Type

  static func == (left: RecordType, right: RecordType) -> Bool { left.type == right.type }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }
}

extension SQLContext {
  /// The table that a key belongs to.
  var keyedTable: TableReference {
    get throws {
      guard let mainTable else {
        throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "a key belongs to no table")
      }
      return mainTable
    }
  }
}

/// A value that a key is given: a record type says how its columns store dates, data and UUIDs.
enum KeyValue: Hashable {
  case value(DatabaseValue)
  case date(Date)
  case data(Data)
  case uuid(UUID)

  init(_ value: any DatabaseValueConvertible) {
    // Comparing types costs less than a cast, and most keys have other types.
    let type = Swift.type(of: value) as any Any.Type
    if type == UUID.self || type == UUID?.self, let uuid = value as? UUID {
      self = .uuid(uuid)
    } else if type == Date.self || type == Date?.self, let date = value as? Date {
      self = .date(date)
    } else if type == Data.self || type == Data?.self, let data = value as? Data {
      self = .data(data)
    } else {
      self = .value(value.databaseValue)
    }
  }

  /// Whether the value is stored as a column says.
  var dependsOnColumn: Bool {
    if case .value = self { false } else { true }
  }

  /// Returns the stored value.
  ///
  /// - Throws: `EncodingError` when the column stores text, and data is not UTF-8.
  func databaseValue(
    in column: String,
    of recordType: (any EncodableRecord.Type)?
  ) throws -> DatabaseValue {
    switch self {
    case .value(let value): value
    case .date(let date): try stored(date, column, recordType)
    case .data(let data): try stored(data, column, recordType)
    case .uuid(let uuid): try stored(uuid, column, recordType)
    }
  }

  /// Returns the stored value of a key of a type of rows.
  ///
  /// - Throws: `EncodingError` when the column stores text, and data is not UTF-8.
  func databaseValue(in column: String, of rowType: Any.Type) throws -> DatabaseValue {
    let recordType = dependsOnColumn ? rowType as? any EncodableRecord.Type : nil
    return try databaseValue(in: column, of: recordType)
  }

  private func stored<Value: DatabaseValueConvertible>(
    _ value: Value,
    _ column: String,
    _ recordType: (any EncodableRecord.Type)?
  ) throws -> DatabaseValue {
    guard let recordType else { return value.databaseValue }
    let strategies = ColumnEncodingStrategies(recordType: recordType, column: column)
    return try strategies.databaseValue(of: value, []) ?? value.databaseValue
  }
}
