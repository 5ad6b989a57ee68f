internal import Foundation
internal import Storage

/// The Swift code of a record type for a table or a view.
struct SwiftRecord {
  private let table: String
  private let columns: [ColumnInfo]
  /// The columns that SQLite computes from others, which a record cannot store.
  private let computed: [ColumnInfo]
  private let isView: Bool
  /// The Swift types of the columns without a declared type, as far as stored values tell them.
  private let foundTypes: [String: String]
  /// The columns that refer to other tables, usually to their row ids.
  private let references: Set<String>
  /// The name of the column that is another name for the row id.
  private let rowIDName: String?

  init(_ object: SchemaObject, _ db: Database) throws {
    table = object.name
    isView = object.kind == .view
    rowIDName = isView ? nil : try db.primaryKey(table).rowIDColumn
    let all = try db.columns(in: table)
    columns = all.filter { !$0.isGenerated }
    computed = all.filter(\.isGenerated)
    var types: [String: String] = [:]
    for column in columns where column.type.isEmpty {
      types[column.name] = try Self.foundType(of: column, in: table, db)
    }
    foundTypes = types
    references = isView ? [] : Set(try db.foreignKeys(on: table).flatMap(\.originColumns))
  }

  /// The declaration of the type.
  var code: String {
    let properties = columns.map(property)
    let isMutable = rowIDProperty != nil
    var protocols = ["Codable"]
    if columns.contains(where: { $0.name == "id" }) { protocols.append("Identifiable") }
    protocols += ["FetchableRecord"]
    protocols.append(
      isView ? "TableRecord" : isMutable ? "MutablePersistableRecord" : "PersistableRecord"
    )
    var lines = ["struct \(typeName): \(protocols.joined(separator: ", ")) {"]
    if Self.defaultTableName(typeName) != table {
      lines += ["  static let databaseTableName = \(Self.literal(table))", ""]
    }
    lines += properties.map { "  var \($0.name): \($0.type)" }
    lines += computed.map { "  // \($0.name.quotedDatabaseIdentifier) is computed by SQLite." }
    if properties.contains(where: { Self.plain($0.name) != $0.column }) {
      lines += ["", "  enum CodingKeys: String, CodingKey {"]
      lines += properties.map { property in
        Self.plain(property.name) == property.column
          ? "    case \(property.name)"
          : "    case \(property.name) = \(Self.literal(property.column))"
      }
      lines += ["  }"]
    }
    lines += ["", "  enum Columns {"]
    lines += properties.map { "    static let \($0.name) = Column(CodingKeys.\($0.name))" }
    lines += ["  }"]
    if let rowIDProperty {
      lines += [
        "", "  mutating func didInsert(_ inserted: InsertionSuccess) {",
        "    \(rowIDProperty) = inserted.rowID", "  }",
      ]
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  private struct Property {
    let name: String
    let column: String
    let type: String
  }

  private func property(_ column: ColumnInfo) -> Property {
    let isRowID = column.name == rowIDColumn?.name
    let found = foundTypes[column.name] ?? Self.type(declared: column.type)
    let isID = isRowID || found == "Int" && references.contains(column.name)
    let type = isID ? "Int64" : found
    let isOptional = isRowID || isView || (!column.isNotNull && column.primaryKeyIndex == 0)
    return Property(
      name: Self.escaped(Self.camelCase(column.name)),
      column: column.name,
      type: isOptional ? type + "?" : type
    )
  }

  /// The column that is another name for the row id.
  /// https://www.sqlite.org/lang_createtable.html#rowid
  private var rowIDColumn: ColumnInfo? {
    columns.first { $0.name == rowIDName }
  }

  private var rowIDProperty: String? {
    rowIDColumn.map { Self.escaped(Self.camelCase($0.name)) }
  }

  private var typeName: String {
    let name = Self.camelCase(table)
    let type = name.prefix(1).uppercased() + name.dropFirst()
    return Self.takenTypes.contains(type) ? type + "Record" : type
  }

  // MARK: - Types

  /// Returns the Swift type for a declared type, by SQLite's rules of affinity, and by the names
  /// that are common for dates, truth values and UUIDs.
  private static func type(declared: String) -> String {
    let type = declared.uppercased()
    let common = [
      ("BOOL", "Bool"), ("DATE", "Date"), ("TIMESTAMP", "Date"), ("UUID", "UUID"),
      ("INT", "Int"), ("CHAR", "String"), ("CLOB", "String"), ("TEXT", "String"),
      ("JSON", "String"), ("BLOB", "Data"), ("REAL", "Double"), ("FLOA", "Double"),
      ("DOUB", "Double"),
    ]
    return common.first { type.contains($0.0) }?.1 ?? "Double"
  }

  /// Returns the Swift type of a column's first values.
  private static func foundType(
    of column: ColumnInfo,
    in table: String,
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
    case ["blob"]: return "Data"
    default: return "String"
    }
  }

  // MARK: - Names

  /// Returns a name of Swift for a name of SQL: `unit_price` becomes `unitPrice`.
  static func camelCase(_ name: String) -> String {
    let words = name.split { !$0.isLetter && !$0.isNumber }
    guard let first = words.first else { return "unnamed" }
    let isUpper = first.allSatisfy { $0.isUppercase || $0.isNumber }
    let start = isUpper ? first.lowercased() : first.prefix(1).lowercased() + first.dropFirst()
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
    let joined = ([start] + rest).joined()
    return joined.first?.isNumber == true ? "_" + joined : joined
  }

  /// Returns the name that a record type gives its table by default.
  private static func defaultTableName(_ type: String) -> String {
    let upper = type.prefix { $0.isUppercase }.count
    let lowered = upper <= 1 || upper == type.count ? upper : upper - 1
    return type.prefix(lowered).lowercased() + type.dropFirst(lowered)
  }

  private static func escaped(_ name: String) -> String {
    keywords.contains(name) ? "`\(name)`" : name
  }

  private static func plain(_ name: String) -> String {
    name.hasPrefix("`") ? String(name.dropFirst().dropLast()) : name
  }

  private static func literal(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(escaped.replacing("\n", with: "\\n"))\""
  }

  /// Names of types that a record type would hide.
  private static let takenTypes: Set<String> = [
    "Any", "Array", "Bool", "Character", "Column", "Columns", "Data", "Database", "Date",
    "Dictionary", "Double", "Error", "Float", "Index", "Int", "Int64", "Never", "Optional",
    "Request", "Result", "Row", "Set", "String", "Table", "Task", "Type", "UUID", "View", "Void",
  ]

  private static let keywords: Set<String> = [
    "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default",
    "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate",
    "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
    "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]
}
