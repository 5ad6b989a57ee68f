/// The columns by which the rows of two tables belong together.
///
///     struct Book: TableRecord {
///       static let authorKey = ForeignKey(["authorID"])
///       static let translatorKey = ForeignKey(["translatorID"])
///       static let author = belongsTo(Person.self, key: "author", using: authorKey)
///       static let translator = belongsTo(Person.self, key: "translator", using: translatorKey)
///     }
///
/// An association needs one where the schema declares no foreign key between the tables, or
/// several.
public struct ForeignKey: Hashable, Sendable {
  /// The columns of the table that refers to the other one.
  let originColumns: [String]
  /// The columns of the other table; `nil` for the columns that the schema declares, or else its
  /// primary key.
  let destinationColumns: [String]?

  /// Creates a foreign key from the names of columns.
  ///
  ///     ForeignKey(["authorID"])
  ///     ForeignKey(["countryCode"], to: ["isoCode"])
  ///
  /// - Parameters:
  ///   - columns: The columns of the table that refers to the other one.
  ///   - destination: The columns of the other table; by default, the columns that the schema
  ///     declares, or else its primary key.
  /// - Precondition: Both lists have the same number of columns.
  public init(_ columns: [String], to destination: [String]? = nil) {
    precondition(
      destination == nil || destination?.count == columns.count,
      """
      A foreign key refers from \(columns.count) columns to \(destination?.count ?? 0) columns. Give \
      as many on both sides.
      """
    )
    originColumns = columns
    destinationColumns = destination
  }

  /// Creates a foreign key from columns: see ``init(_:to:)-([String],_)``.
  ///
  ///     ForeignKey([Columns.authorID])
  public init(
    _ columns: [any NamedColumn],
    to destination: [any NamedColumn]? = nil
  ) {
    self.init(columns.map(\.name), to: destination?.map(\.name))
  }
}

/// Finds the columns of a foreign key in the schema.
struct ForeignKeyResolution {
  let key: ForeignKey?
  /// The table that refers to the other one.
  let origin: TableReference
  let destination: TableReference

  init(_ key: ForeignKey?, from origin: TableReference, to destination: TableReference) {
    self.key = key
    self.origin = origin
    self.destination = destination
  }

  /// Returns the columns of the foreign key, and the columns that they refer to.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when the schema declares no foreign key, or
  ///   several, or when a column does not exist; with `SQLITE_ERROR` when a table does not exist.
  func mapping(_ db: Database) throws -> [ForeignKeyInfo.Pair] {
    if let key, let columns = key.destinationColumns {
      return try checked(zip(key.originColumns, columns).map(ForeignKeyInfo.Pair.init), db)
    }
    let declared = try declaredKeys(db)
    if let key { return try mapping(key.originColumns, declared, db) }
    switch declared.count {
    case 1: return declared[0].mapping
    case 0:
      try checkTables(db)
      throw missing(try others(db))
    default: throw ambiguous(declared)
    }
  }

  /// Returns the columns that given columns refer to: as the schema declares them, or else the
  /// primary key.
  private func mapping(
    _ columns: [String],
    _ declared: [ForeignKeyInfo],
    _ db: Database
  ) throws -> [ForeignKeyInfo.Pair] {
    let names = Set(columns.map(\.asciiLowercased))
    if let key = declared.first(where: { Set($0.originColumns.map(\.asciiLowercased)) == names }) {
      return columns.compactMap { name in
        key.mapping.first { $0.origin.asciiLowercased == name.asciiLowercased }
      }
    }
    guard destination.definition == nil else { throw missing([]) }
    let primaryKey = try db.primaryKey(destination.tableName).columns
    guard primaryKey.count == columns.count else {
      throw misuse(
        """
        the foreign key on \(list(columns)) does not say to which columns of \
        \(destination.tableName) it refers, whose primary key is \(list(primaryKey)): write \
        ForeignKey(\(columns), to: […])
        """
      )
    }
    return try checked(zip(columns, primaryKey).map(ForeignKeyInfo.Pair.init), db)
  }

  private func declaredKeys(_ db: Database) throws -> [ForeignKeyInfo] {
    guard origin.definition == nil else { return [] }
    let name = destination.tableName.asciiLowercased
    return try db.foreignKeys(on: origin.tableName).filter {
      $0.destinationTable.asciiLowercased == name
    }
  }

  /// Returns the mapping after checking that the columns exist.
  private func checked(
    _ mapping: [ForeignKeyInfo.Pair],
    _ db: Database
  ) throws -> [ForeignKeyInfo.Pair] {
    for pair in mapping {
      for (table, column) in [(origin, pair.origin), (destination, pair.destination)] {
        let names = try table.columnNames(db)
        let isKnown = names.contains { $0.asciiLowercased == column.asciiLowercased }
        guard !isKnown, !isRowID(column, table, db) else { continue }
        throw misuse(
          """
          the foreign key of the association names the column \(column), which \
          \(table.tableName) does not have: its columns are \(list(names))
          """
        )
      }
    }
    return mapping
  }

  private func isRowID(_ column: String, _ table: TableReference, _ db: Database) -> Bool {
    guard table.definition == nil, let info = try? db.tableInfo(table.tableName) else {
      return false
    }
    return info.primaryKey.tableHasRowID
      && RowIDName.all.contains(column.asciiLowercased)
  }
}

// MARK: - Errors

extension ForeignKeyResolution {
  /// Throws the error for a table that does not exist.
  private func checkTables(_ db: Database) throws {
    for table in [origin, destination] where table.definition == nil {
      _ = try db.columns(in: table.tableName)
    }
  }

  private func others(_ db: Database) throws -> [ForeignKeyInfo] {
    origin.definition == nil ? try db.foreignKeys(on: origin.tableName) : []
  }

  private func missing(_ others: [ForeignKeyInfo]) -> DatabaseError {
    let advice = "write using: ForeignKey([…], to: […]) in the association"
    if origin.definition != nil {
      return misuse(
        """
        \(origin.tableName) is a common table expression, which has no foreign key to \
        \(destination.tableName): \(advice)
        """
      )
    }
    if destination.definition != nil {
      return misuse(
        """
        the table \(origin.tableName) has no foreign key to \(destination.tableName), which is a \
        common table expression: \(advice)
        """
      )
    }
    let found = others.map { "\(list($0.originColumns)) → \($0.destinationTable)" }
    return misuse(
      """
      the table \(origin.tableName) has no foreign key to \(destination.tableName) \
      (\(found.isEmpty ? "it has none" : "it has \(found.joined(separator: "; "))")): declare one \
      in the schema, or \(advice)
      """
    )
  }

  private func ambiguous(_ keys: [ForeignKeyInfo]) -> DatabaseError {
    let choices = keys.map { key in
      let columns = key.originColumns.map { "\"\($0)\"" }.joined(separator: ", ")
      return "ForeignKey([\(columns)])"
    }
    return misuse(
      """
      the table \(origin.tableName) has several foreign keys to \(destination.tableName): choose \
      one with using: \(choices.joined(separator: " or using: ")) in the association
      """
    )
  }

  private func misuse(_ message: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_MISUSE, message: message)
  }

  private func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}
