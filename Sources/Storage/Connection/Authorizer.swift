internal import CWellspringSQLite

/// Records the reads and effects of each statement of a connection, while SQLite compiles it.
///
/// The authorizer refuses only actions that its ``restriction`` forbids. It is installed once, when
/// the connection opens, because installing an authorizer expires every prepared statement of the
/// connection. https://www.sqlite.org/c3ref/set_authorizer.html
package final class Authorizer {
  /// The effects of the statement that the library is compiling; `nil` while it compiles none.
  private var effects: StatementEffects?
  private var wasCalled = false

  /// The actions that statements may do. The default is all actions.
  var restriction = Restriction.none

  /// Why the authorizer refused the statement that it has refused last.
  fileprivate(set) var refusal: String?

  /// Whether a statement that changes the schema, or another number in the file header, was
  /// compiled through the raw handle, outside ``record(_:)``.
  package private(set) var sawForeignHeaderChange = false

  /// Whether the library is running a statement that changes the schema. SQLite then compiles
  /// further statements on its own.
  var isInsideSchemaChange = false

  /// The number of calls outside ``record(_:)``. It grows when SQLite recompiles a statement in its
  /// first step.
  @exclusivity(unchecked) @usableFromInline package private(set) var unrecordedCalls: UInt = 0

  /// How many statements with savepoints were compiled outside ``record(_:)``.
  package private(set) var unrecordedSavepoints: UInt = 0

  /// Installs the authorizer on `connection`, which expires all its prepared statements.
  ///
  /// The connection must not outlive the authorizer.
  func install(on connection: OpaquePointer) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_set_authorizer(connection, authorize, context)
  }

  /// Returns the result of `body`, and the effects of the statement that SQLite compiled in it, or
  /// `nil` when SQLite compiled none.
  package func record<Result>(_ body: () -> Result) -> (Result, StatementEffects?) {
    let outer = (effects, wasCalled)
    effects = StatementEffects()
    wasCalled = false
    let result = body()
    let recorded = wasCalled ? effects : nil
    (effects, wasCalled) = outer
    return (result, recorded)
  }

  fileprivate func note(
    action: Int32,
    _ first: UnsafePointer<CChar>?,
    _ second: UnsafePointer<CChar>?,
    _ schema: UnsafePointer<CChar>?
  ) {
    wasCalled = true
    if effects == nil { unrecordedCalls &+= 1 }
    func name(_ pointer: UnsafePointer<CChar>?) -> String {
      pointer.map { String(cString: $0) } ?? ""
    }
    func table(_ pointer: UnsafePointer<CChar>?) -> TableName {
      TableName(schema: name(schema), name: name(pointer))
    }
    switch action {
    case SQLITE_READ:
      guard effects != nil else { return }
      let column = ColumnName(name(second))
      if schema == nil {
        effects?.readsInUnknownSchema.insert(name(first).asciiLowercased)
      } else if column.name.isEmpty {
        effects?.reads[table(first), default: []].formUnion([])
      } else {
        effects?.reads[table(first), default: []].insert(column)
      }
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
      let table = table(first)
      if Self.schemaTables.contains(table.name) { noteSchemaWrite() }
      effects?.writes.insert(table)
      if action == SQLITE_UPDATE { effects?.updates[table, default: []].insert(name(second)) }
    case SQLITE_TRANSACTION:
      effects?.controlsTransaction = true
      if name(first) == "ROLLBACK" { effects?.rollsBack = true }
      if name(first) == "COMMIT" { effects?.commits = true }
    case SQLITE_SAVEPOINT:
      if effects == nil { unrecordedSavepoints &+= 1 }
      let savepoint = name(second).asciiLowercased
      switch name(first) {
      case "BEGIN": effects?.savepoint = .begin(savepoint)
      case "RELEASE": effects?.savepoint = .release(savepoint)
      default: effects?.savepoint = .rollback(savepoint)
      }
    case SQLITE_PRAGMA:
      let pragma = name(first).asciiLowercased
      // FTS5 reads `data_version` with its own statement while a query on an FTS5 table is
      // compiled.
      let setsVersion = pragma == "schema_version" && second != nil
      effects?.pragma = pragma
      guard setsVersion || !Self.schemaPragmas.contains(pragma), pragma != "data_version"
      else { return }
      if second == nil || Self.checkPragmas.contains(pragma) {
        effects?.readsPragma = true
        if Self.harmlessPragmas.contains(pragma) {
          effects?.readsHarmlessPragma = true
        }
      } else {
        effects?.writesPragma = true
        if pragma == "wal_autocheckpoint" { effects?.setsAutoCheckpoint = true }
        if pragma == "journal_mode" { effects?.setsJournalMode = true }
        // Both pragmas make SQLite reread the schema, whose table may have been written before.
        if setsVersion || pragma == "writable_schema" { effects?.changesSchema = true }
        if effects == nil { noteForeignHeaderChange() }
      }
    case SQLITE_SELECT, SQLITE_FUNCTION, SQLITE_RECURSIVE:
      break
    default:
      // All other actions create, alter, drop, reindex, analyze, attach or detach.
      noteSchemaChange()
      guard effects != nil else { return }
      let isAlteration = action == SQLITE_ALTER_TABLE
      effects?.schemaActions.append(
        StatementEffects.SchemaAction(
          code: action,
          name: name(isAlteration ? second : first),
          schema: name(isAlteration ? first : schema).asciiLowercased
        )
      )
    }
  }

  /// Notes a write to a schema table. The first use of a virtual table also reports such writes,
  /// although it never makes them: see ``StatementEffects/mayConnectToVirtualTable``.
  private func noteSchemaWrite() {
    if effects == nil {
      noteForeignHeaderChange()
    } else {
      effects?.writesSchemaTable = true
    }
  }

  private func noteSchemaChange() {
    if effects == nil {
      noteForeignHeaderChange()
    } else {
      effects?.changesSchema = true
    }
  }

  private func noteForeignHeaderChange() {
    if !isInsideSchemaChange { sawForeignHeaderChange = true }
  }

  static let schemaTables: Set<String> = [
    "sqlite_master", "sqlite_schema", "sqlite_temp_master", "sqlite_temp_schema",
  ]

  /// Pragmas whose value can be read without side effects, although SQLite counts that as a write.
  /// Other such pragmas act when called without a value, for example `incremental_vacuum`.
  private static let harmlessPragmas: Set<String> = [
    "journal_mode", "journal_size_limit", "locking_mode", "wal_autocheckpoint",
  ]

  /// Pragmas that read rows and change nothing, whatever their argument.
  static let checkPragmas: Set<String> = [
    "foreign_key_check", "integrity_check", "quick_check",
  ]

  /// Pragmas that read the schema. Their results change only with the schema.
  static let schemaPragmas: Set<String> = [
    "collation_list", "compile_options", "database_list", "foreign_key_list", "function_list",
    "index_info", "index_list", "index_xinfo", "module_list", "pragma_list", "schema_version",
    "table_info", "table_list", "table_xinfo",
  ]
}

private func authorize(
  context: UnsafeMutableRawPointer?,
  action: Int32,
  first: UnsafePointer<CChar>?,
  second: UnsafePointer<CChar>?,
  schema: UnsafePointer<CChar>?,
  trigger: UnsafePointer<CChar>?
) -> Int32 {
  let authorizer = Unmanaged<Authorizer>.fromOpaque(context!).takeUnretainedValue()
  if authorizer.restriction != .none,
    let refusal = authorizer.restriction.refusal(action: action, first, second)
  {
    authorizer.refusal = refusal
    return SQLITE_DENY
  }
  authorizer.note(action: action, first, second, schema)
  return SQLITE_OK
}
