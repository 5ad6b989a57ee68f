internal import CWellspringSQLite
internal import Storage

/// The meaning of a statement that changes the schema for recorded transactions.
enum SchemaChange {
  /// The main database has the same schema.
  case none
  /// The same statement changes the schema elsewhere.
  case statement
  /// A table was made that did not exist.
  case newTable(name: String)
  /// The statement cannot be repeated elsewhere.
  case unknown(reason: String)

  /// - Parameters:
  ///   - statement: The statement, which has run.
  ///   - knows: Whether a table existed before.
  init(_ statement: Statement, knows: (String) -> Bool) {
    let actions = statement.effects.schemaActions.filter { Self.changesMain($0) }
    guard let first = actions.first else {
      // The authorizer reports each change, unless the tables of the schema are written themselves.
      let writesSchema = statement.effects.writesSchemaTable || statement.effects.pragma != nil
      let isElsewhere = !statement.effects.schemaActions.isEmpty
      self =
        writesSchema && !isElsewhere
        ? .unknown(reason: "the schema was written by \(statement.sql)") : .none
      return
    }
    let codes = actions.map(\.code)
    if actions.allSatisfy({ $0.name.asciiLowercased.hasPrefix(RecordableTable.ownPrefix) }) {
      self = .none
    } else if codes.contains(SQLITE_CREATE_VTABLE) || codes.contains(SQLITE_DROP_VTABLE) {
      self = .unknown(reason: "the virtual table \(first.name) was made or dropped")
    } else if codes.allSatisfy({ $0 == SQLITE_REINDEX || $0 == SQLITE_ANALYZE }) {
      // The rows of the statistics were recorded, and an index has no content of its own.
      self = .none
    } else if first.code == SQLITE_CREATE_TABLE {
      self = knows(first.name) ? .none : .newTable(name: first.name)
    } else {
      self = .statement
    }
  }

  /// Whether the statement cannot be repeated elsewhere.
  var isUnknown: Bool { if case .unknown = self { true } else { false } }

  private static func changesMain(_ action: StatementEffects.SchemaAction) -> Bool {
    switch action.code {
    case SQLITE_CREATE_TEMP_INDEX, SQLITE_CREATE_TEMP_TABLE, SQLITE_CREATE_TEMP_TRIGGER,
      SQLITE_CREATE_TEMP_VIEW, SQLITE_DROP_TEMP_INDEX, SQLITE_DROP_TEMP_TABLE,
      SQLITE_DROP_TEMP_TRIGGER, SQLITE_DROP_TEMP_VIEW, SQLITE_ATTACH, SQLITE_DETACH:
      false
    default:
      action.schema == "main"
    }
  }
}

/// The first word of a statement.
enum SQLKeyword {
  /// Returns the first word in lower case, without the comments and spaces before it.
  static func first(in sql: String) -> String {
    var rest = sql.utf8[...]
    while let first = rest.first {
      if rest.starts(with: "--".utf8) {
        rest = rest.drop { $0 != UInt8(ascii: "\n") }
      } else if rest.starts(with: "/*".utf8) {
        rest = rest.dropFirst(2)
        while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest = rest.dropFirst() }
        rest = rest.dropFirst(2)
      } else if [9, 10, 12, 13, 32].contains(first) {
        rest = rest.dropFirst()
      } else {
        break
      }
    }
    let word = rest.prefix { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
    return String(decoding: word, as: UTF8.self).asciiLowercased
  }
}
