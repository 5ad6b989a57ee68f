internal import CWellspringSQLite

/// Records what each statement of a connection reads and does, while SQLite compiles it.
///
/// It is installed once, when the connection opens: installing an authorizer expires every prepared
/// statement of the connection. It never refuses anything.
/// https://www.sqlite.org/c3ref/set_authorizer.html
final class Authorizer {
  /// The effects of the statement that is being compiled, while the library compiles one.
  private var effects: StatementEffects?
  private var wasCalled = false

  /// Whether SQLite compiled a statement outside of ``record(_:)``, through the raw handle, that
  /// changes the schema or another number in the header of the file.
  private(set) var sawForeignHeaderChange = false

  /// Whether a statement of the library runs that changes the schema: SQLite compiles others for it.
  var isInsideSchemaChange = false

  /// Counts what SQLite told outside of ``record(_:)``: it grows when SQLite compiles a statement
  /// anew in its first step.
  @exclusivity(unchecked) @usableFromInline private(set) var unrecordedCalls: UInt = 0

  /// Starts to listen, and expires all statements that were prepared before.
  ///
  /// The connection must not outlive the authorizer.
  func install(on connection: OpaquePointer) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_set_authorizer(connection, authorize, context)
  }

  /// The result of `body`, and the effects of the statement that it made SQLite compile; `nil` when
  /// it made SQLite compile none.
  func record<Result>(_ body: () -> Result) -> (Result, StatementEffects?) {
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
      let column = name(second).asciiLowercased
      if schema == nil {
        effects?.readsInUnknownSchema.insert(name(first).asciiLowercased)
      } else if column.isEmpty {
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
    case SQLITE_SAVEPOINT:
      let savepoint = name(second).asciiLowercased
      switch name(first) {
      case "BEGIN": effects?.savepoint = .begin(savepoint)
      case "RELEASE": effects?.savepoint = .release(savepoint)
      default: effects?.savepoint = .rollback(savepoint)
      }
    case SQLITE_PRAGMA:
      let pragma = name(first).asciiLowercased
      // FTS5 reads the latter by a statement of its own, while a query on it is compiled.
      let setsVersion = pragma == "schema_version" && second != nil
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
        // They make SQLite read the schema again, which may have been rewritten before.
        if setsVersion || pragma == "writable_schema" { effects?.changesSchema = true }
        if effects == nil { noteForeignHeaderChange() }
      }
    case SQLITE_SELECT, SQLITE_FUNCTION, SQLITE_RECURSIVE:
      break
    default:
      // All that is left creates, alters, drops, reindexes, analyzes, attaches or detaches.
      noteSchemaChange()
    }
  }

  /// The first use of a table-valued pragma reports such writes too, which never happen.
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

  private static let schemaTables: Set<String> = [
    "sqlite_master", "sqlite_schema", "sqlite_temp_master", "sqlite_temp_schema",
  ]

  /// Pragmas whose value can be asked for without effect, though SQLite counts that as writing.
  /// Others do something when they are called without a value, `incremental_vacuum` for one.
  private static let harmlessPragmas: Set<String> = [
    "journal_mode", "journal_size_limit", "locking_mode", "wal_autocheckpoint",
  ]

  /// Pragmas that look at rows, and change nothing whatever their argument is.
  private static let checkPragmas: Set<String> = [
    "foreign_key_check", "integrity_check", "quick_check",
  ]

  /// Pragmas that read the schema: their results change with the schema only.
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
  Unmanaged<Authorizer>.fromOpaque(context!).takeUnretainedValue()
    .note(action: action, first, second, schema)
  return SQLITE_OK
}
