internal import Storage

/// The Swift code of a record type for a table or a view.
struct SwiftRecord {
  private let table: String
  private let typeName: String
  private let properties: [Property]
  /// The columns that the type leaves out, each with the reason.
  private let omitted: [(column: String, reason: String)]
  private let isView: Bool
  /// The name of the property that is another name for the row id.
  /// https://www.sqlite.org/lang_createtable.html#rowid
  private let rowIDProperty: String?

  private struct Property {
    /// The name, without backticks.
    let name: String
    let column: String
    let type: String

    var code: String { SwiftName.escaped(name) }
  }

  /// Reads the columns of a table or a view.
  ///
  /// - Parameters:
  ///   - object: The table or view.
  ///   - typeName: The name of the type.
  ///   - db: A connection in a read.
  /// - Throws: ``DatabaseError``, for example for a view of a missing table.
  init(_ object: SchemaObject, typeName: String, _ db: Database) throws {
    table = object.name
    self.typeName = typeName
    isView = object.kind == .view
    let all = try db.columns(in: table)
    var columns: [ColumnInfo] = []
    var omitted: [(String, String)] = []
    for column in all {
      if column.isGenerated {
        omitted.append((column.name, "is computed by SQLite."))
      } else if columns.contains(where: { $0.name == column.name }) {
        // SQLite compares names by bytes, and Swift by characters.
        omitted.append((column.name, "has other bytes than the same name above."))
      } else {
        columns.append(column)
      }
    }
    self.omitted = omitted
    let rowIDColumn = isView ? nil : try db.primaryKey(table).rowIDColumn
    let references = isView ? [] : Set(try db.foreignKeys(on: table).flatMap(\.originColumns))
    let names = SwiftName.unique(columns.map { ($0.name, SwiftName.camelCase($0.name)) })
    properties = try zip(columns, names).map { column, name in
      let isRowID = column.name == rowIDColumn
      let found = try SwiftType.of(column, in: object.name, db)
      // Columns that refer to other tables usually refer to their row ids.
      let isID = isRowID || found == "Int" && references.contains(column.name)
      let isOptional =
        isRowID || object.kind == .view || (!column.isNotNull && column.primaryKeyIndex == 0)
      return Property(
        name: name,
        column: column.name,
        type: (isID ? "Int64" : found) + (isOptional ? "?" : "")
      )
    }
    rowIDProperty = properties.first { $0.column == rowIDColumn }?.code
  }

  /// The declaration of the type.
  var code: String {
    var protocols = ["Codable"]
    if properties.contains(where: { $0.name == "id" }) { protocols.append("Identifiable") }
    protocols += ["FetchableRecord"]
    protocols.append(
      isView
        ? "TableRecord" : rowIDProperty != nil ? "MutablePersistableRecord" : "PersistableRecord"
    )
    var lines = ["struct \(typeName): \(protocols.joined(separator: ", ")) {"]
    if !isDefaultTableName {
      lines += ["  static let databaseTableName = \(SwiftName.literal(table))", ""]
    }
    lines += properties.map { "  var \($0.code): \($0.type)" }
    lines += omitted.map { "  // \(SwiftName.literal($0.column)) \($0.reason)" }
    if properties.contains(where: { $0.name != $0.column }) {
      lines += ["", "  enum CodingKeys: String, CodingKey {"]
      lines += properties.map { property in
        property.name == property.column
          ? "    case \(property.code)"
          : "    case \(property.code) = \(SwiftName.literal(property.column))"
      }
      lines += ["  }"]
    }
    if let rowIDProperty {
      let property = rowIDProperty == "inserted" ? "self.inserted" : rowIDProperty
      lines += [
        "", "  mutating func didInsert(_ inserted: InsertionSuccess) {",
        "    \(property) = inserted.rowID", "  }",
      ]
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  /// Whether a record type of this name has this table by default.
  private var isDefaultTableName: Bool {
    guard table.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
    let upper = typeName.prefix { $0.isUppercase }.count
    let lowered = upper <= 1 || upper == typeName.count ? upper : upper - 1
    return typeName.prefix(lowered).lowercased() + typeName.dropFirst(lowered) == table
  }
}

/// The Swift types of columns.
private enum SwiftType {
  /// Returns the type of a column's values: by its declared type, or by the stored values.
  static func of(_ column: ColumnInfo, in table: String, _ db: Database) throws -> String {
    try declared(column.type) ?? found(in: column, of: table, db)
  }

  /// Returns the Swift type for a declared type, by SQLite's rules of affinity, and by the names
  /// that are common for dates, truth values and UUIDs.
  ///
  /// - Returns: `nil` for a type that says nothing about the values, such as `ANY`.
  private static func declared(_ type: String) -> String? {
    let type = type.uppercased()
    let common = [
      ("BOOL", "Bool"), ("DATE", "Date"), ("TIMESTAMP", "Date"), ("UUID", "UUID"),
      ("INT", "Int"), ("CHAR", "String"), ("CLOB", "String"), ("TEXT", "String"),
      ("JSONB", "Data"), ("JSON", "String"), ("BLOB", "Data"), ("REAL", "Double"),
      ("FLOA", "Double"), ("DOUB", "Double"), ("NUMERIC", "Double"), ("DECIMAL", "Double"),
    ]
    return common.first { type.contains($0.0) }?.1
  }

  /// Returns the Swift type of a column's first values.
  private static func found(
    in column: ColumnInfo,
    of table: String,
    _ db: Database
  ) throws -> String {
    let name = column.name.quotedDatabaseIdentifier
    let types = try String.fetchSet(
      db,
      sql: """
        SELECT DISTINCT typeof(\(name)) FROM (
          SELECT \(name) FROM \(table.quotedDatabaseIdentifier) LIMIT 100
        ) WHERE \(name) IS NOT NULL
        """
    )
    switch types {
    case ["integer"]: return "Int"
    case ["real"], ["integer", "real"]: return "Double"
    case ["text"]: return "String"
    case ["blob"]: return "Data"
    // The column holds values of several types, or none.
    default: return "DatabaseValue"
    }
  }
}
