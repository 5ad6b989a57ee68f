/// The definition of one column: `"email" TEXT NOT NULL UNIQUE`.
struct ColumnClause {
  struct PrimaryKey {
    var onConflict: Database.ConflictResolution?
    var isAutoincremented = false
  }

  struct Generation {
    let expression: ExpressionNode
    let qualification: ColumnDefinition.GeneratedColumnQualification
  }

  enum Default {
    case value(DatabaseValue)
    case expression(ExpressionNode)
    case sql(String)
  }

  let name: String
  var type: Database.ColumnType?
  var primaryKey: PrimaryKey?
  /// How a NULL is handled; `nil` when NULL is allowed.
  var notNull: Database.ConflictResolution?
  /// Whether the Swift type of the column excludes NULL.
  var isNotOptional = false
  /// Whether the Swift type of the column has integers that are stored as texts.
  var hasLargeIntegers = false
  var unique: Database.ConflictResolution?
  var isIndexed = false
  var checks: [ExpressionNode] = []
  var defaultValue: Default?
  var collation: String?
  var references: [ForeignKeyClause] = []
  var generation: Generation?

  /// Whether the column is an alias of the row id when it alone is the primary key.
  var isInteger: Bool { type?.rawValue.asciiLowercased == "integer" }

  /// Writes the definition.
  func write(to context: inout SQLContext) throws {
    context.append(identifier: name)
    if let type { context.append(" \(type.rawValue)") }
    if let primaryKey {
      context.append(" PRIMARY KEY\(primaryKey.onConflict.clause)")
      if primaryKey.isAutoincremented { context.append(" AUTOINCREMENT") }
    }
    if let notNull { context.append(" NOT NULL\(notNull.clause)") }
    if let unique { context.append(" UNIQUE\(unique.clause)") }
    for check in checks {
      context.append(" CHECK (")
      try check.write(to: &context)
      context.append(")")
    }
    if let defaultValue {
      if case .value(let value) = defaultValue, let unstorable = value.unstorable {
        throw unstorable.error(in: "the default of the column \(name)")
      }
      try defaultValue.write(to: &context)
    }
    if let collation { context.append(" COLLATE \(collation.sqlWord)") }
    for reference in references {
      context.append(" ")
      reference.write(to: &context)
    }
    if let generation {
      context.append(" GENERATED ALWAYS AS (")
      try generation.expression.write(to: &context)
      context.append(") \(generation.qualification.rawValue)")
    }
  }
}

extension ColumnClause.Default {
  /// Writes the clause ` DEFAULT 1`.
  fileprivate func write(to context: inout SQLContext) throws {
    context.append(" DEFAULT ")
    switch self {
    case .value(let value):
      context.append(value.sqlLiteral(in: .defaultValue))
    case .expression(let expression):
      context.append("(")
      try expression.write(to: &context)
      context.append(")")
    case .sql(let sql):
      context.append(sql)
    }
  }
}

extension ColumnClause {
  /// Describes a column for values of a Swift type.
  init<Value: DatabaseValueConvertible>(
    _ column: TypedColumn<Value>,
    default value: Value.Unwrapped?
  ) {
    self.init(name: column.name, type: Value.databaseColumnType)
    // A `DatabaseValue` can be NULL without being optional.
    isNotOptional = Value.self == Value.Unwrapped.self && Value.self != DatabaseValue.self
    hasLargeIntegers = isInteger && exceedsInt64(Value.Unwrapped.self)
    defaultValue = value.map { .value($0.databaseValue) }
  }
}

/// Returns whether a type has integers over `Int64.max`, which are stored as texts.
private func exceedsInt64(_ type: Any.Type) -> Bool {
  func exceeds<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Bool { Integer.max > Int64.max }
  return (storedType(type) as? any FixedWidthInteger.Type).map { exceeds($0) } ?? false
}

// MARK: - In a table

extension ColumnClause {
  /// Returns the column with a type whose affinity changes no values of its Swift type.
  ///
  /// `INTEGER` would turn the texts of large integers into rounded numbers. A row id, and a
  /// reference to one, cannot be such a text. Foreign keys stay `INTEGER`: SQLite searches no index
  /// of a column without a type for the values of an `INTEGER` column.
  func keepingLargeIntegers(isKey: Bool = false, isStrict: Bool) -> ColumnClause {
    guard hasLargeIntegers, !isKey, references.isEmpty else { return self }
    var column = self
    column.type = isStrict ? .any : nil
    return column
  }

  /// Returns the column as written in a table, with its references resolved and with `NOT NULL`
  /// where the primary key needs it.
  ///
  /// - Throws: ``DatabaseError`` when a foreign key refers to a table or a key that does not exist,
  ///   or when a strict table has no such type.
  func resolved(
    _ keys: ParentKeys,
    key: [String] = [],
    isStrict: Bool
  ) throws -> ColumnClause {
    var column = self
    if isStrict { column.type = try type?.strict(of: name, in: keys.table) }
    let isInKey = key.contains { $0.asciiLowercased == name.asciiLowercased }
    if let primaryKey, primaryKey.isAutoincremented, !isInteger {
      throw DatabaseError(
        resultCode: .SQLITE_ERROR,
        message: """
          AUTOINCREMENT requires an INTEGER PRIMARY KEY: the type of \(keys.table).\(name) is \
          \(type?.rawValue ?? "none")
          """
      )
    }
    // SQLite never stores NULL in a row id, but allows it in other primary keys unless they are
    // declared `NOT NULL`. https://www.sqlite.org/lang_createtable.html#the_primary_key
    let isRowID = isInKey && key.count == 1 && isInteger
    if notNull == nil, isInKey ? !isRowID : isNotOptional { column.notNull = .abort }
    column.references = try references.map { try $0.resolved(keys, from: [name]) }
    return column
  }

  /// Returns the index on the column, or `nil` when the column has none.
  func index(on table: String, options: IndexOptions) -> IndexDefinition? {
    guard isIndexed, unique == nil else { return nil }
    return IndexDefinition(constraintOn: table, columns: [name], options: options)
  }
}

// MARK: - Strict tables

extension Database.ColumnType {
  /// The types of strict tables. https://www.sqlite.org/stricttables.html
  private static let strictTypes: Set<String> = ["INT", "INTEGER", "REAL", "TEXT", "BLOB", "ANY"]

  /// Returns the type of a strict table that stores the same values.
  ///
  /// Names other than this type's constants are left to SQLite, which refuses them.
  ///
  /// - Throws: ``DatabaseError`` for `NUMERIC`, which fixes the storage class of no value.
  func strict(of column: String, in table: String) throws -> Self {
    switch rawValue.uppercased() {
    case "BOOLEAN": return .integer
    case "DOUBLE": return .real
    case "DATE", "DATETIME": return .text
    case "NUMERIC":
      throw DatabaseError(
        resultCode: .SQLITE_ERROR,
        message: """
          the strict table \(table) has no type NUMERIC for its column \(column): use .integer, \
          .real, .text or .any
          """
      )
    default: return self
    }
  }

  /// The type of a strict table for a type that another table declares, by SQLite's rules of
  /// affinity. https://www.sqlite.org/datatype3.html#determination_of_column_affinity
  fileprivate var strictAffinity: Self {
    let name = rawValue.uppercased()
    func has(_ parts: String...) -> Bool { parts.contains { name.contains($0) } }
    if Self.strictTypes.contains(name) { return self }
    if has("INT") { return .integer }
    if has("CHAR", "CLOB", "TEXT") { return .text }
    if has("BLOB") { return .blob }
    if has("REAL", "FLOA", "DOUB") { return .real }
    switch name {
    case "BOOLEAN": return .integer
    case "DATE", "DATETIME": return .text
    default: return .any
    }
  }
}

extension ColumnClause {
  /// Gives a column of a strict table that has the type of a column of another table, which may not
  /// be strict, a type for the same values.
  mutating func makeInheritedTypeStrict() { type = type?.strictAffinity ?? .any }
}

extension Database.ConflictResolution {
  /// The clause ` ON CONFLICT IGNORE`; empty for the default.
  var clause: String { self == .abort ? "" : " ON CONFLICT \(rawValue)" }
}

extension Optional<Database.ConflictResolution> {
  /// The clause ` ON CONFLICT IGNORE`; empty for the default.
  var clause: String { self.map(\.clause) ?? "" }
}

extension SQLContext {
  /// Appends quoted names in parentheses: `("a", "b")`.
  mutating func append(identifiers: [String]) {
    append("(\(identifiers.map(\.quotedDatabaseIdentifier).joined(separator: ", ")))")
  }
}

// GRDB accepts constants as conditions and as generated values. A constant string is nearly always
// meant as SQL, so these overloads compile with a warning.

extension ColumnDefinition {
  /// Makes the column a generated column, whose value is the same in all rows.
  ///
  ///     t.column("kind", .text).generatedAs("player")
  ///     // "kind" TEXT GENERATED ALWAYS AS ('player') VIRTUAL
  @available(*, deprecated, message: "This is a constant. For SQL, write generatedAs(sql:).")
  @_disfavoredOverload
  @discardableResult
  public func generatedAs(
    _ constant: some DatabaseValueConvertible,
    _ qualification: GeneratedColumnQualification = .virtual
  ) -> Self {
    generatedAs(constant.sqlExpression, qualification)
  }
}

extension TableDefinition {
  /// Adds a check constraint that does not depend on the row: all rows are refused, or none.
  ///
  ///     t.check(true)
  ///     // CHECK (1)
  @available(*, deprecated, message: "This is a constant. For SQL, write check(sql:).")
  @_disfavoredOverload
  public func check(_ constant: some DatabaseValueConvertible) {
    add(.check(constant.node))
  }
}
