import CWellspringSQLite
import Foundation
import Storage

/// A plain SQLite connection without any code of the library. Its results are the truth.
final class ReferenceConnection: SQLSource {
  struct Failure: Error, CustomStringConvertible {
    let message: String
    var description: String { message }
  }

  /// The schema names of the files that it reads.
  let schemas: [String]
  private let connection: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]
  private var schemaVersions: [[String]] = []

  /// Opens a file, and attaches another file as `aux`, if any.
  init(path: String, attaching auxiliary: String? = nil) throws {
    var connection: OpaquePointer?
    let code = sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let connection else { throw Failure(message: "cannot open \(path)") }
    self.connection = connection
    sqlite3_busy_timeout(connection, 5000)
    schemas = auxiliary == nil ? ["main"] : ["main", "aux"]
    if let auxiliary { _ = try texts("ATTACH '\(auxiliary)' AS aux") }
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close(connection)
  }

  func orderedRows(_ sql: String, _ arguments: [Int64]) throws -> [String] {
    try fetch(sql, arguments) { statement in
      (0..<sqlite3_column_count(statement)).map { value(statement, $0).description }
        .joined(separator: "|")
    }
  }

  /// The rows of a query as plain text, with NULL as an empty text.
  func texts(_ sql: String) throws -> [[String]] {
    try fetch(sql, []) { statement in
      (0..<sqlite3_column_count(statement)).map { index in
        sqlite3_column_text(statement, index).map { String(cString: $0) } ?? ""
      }
    }
  }

  private func fetch<Row>(
    _ sql: String,
    _ arguments: [Int64],
    _ row: (OpaquePointer) -> Row
  ) throws -> [Row] {
    let statement = try statement(sql)
    defer { sqlite3_reset(statement) }
    for (index, argument) in arguments.enumerated() {
      sqlite3_bind_int64(statement, Int32(index + 1), argument)
    }
    var rows: [Row] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: rows.append(row(statement))
      case SQLITE_DONE: return rows
      default: throw failure()
      }
    }
  }

  /// Recompiles the statements after a change of the schema, so that names are resolved again: a
  /// new table of `main` may hide one of `aux`, and SQLite notices that only when a statement uses
  /// `main`.
  func reloadSchemas() throws {
    let versions = try schemas.flatMap { try texts("PRAGMA \($0).schema_version") }
    guard versions != schemaVersions else { return }
    schemaVersions = versions
    for statement in statements.values { sqlite3_finalize(statement) }
    statements = [:]
    for schema in schemas { _ = try texts("SELECT 1 FROM \(schema).sqlite_schema") }
  }

  /// The outcome of a probe now.
  func outcome(of probe: Probe) -> Outcome {
    do {
      return .rows(try probe.run(self))
    } catch {
      return Outcome(error)
    }
  }

  private func statement(_ sql: String) throws -> OpaquePointer {
    if let known = statements[sql] { return known }
    if statements.count > 500 {
      for statement in statements.values { sqlite3_finalize(statement) }
      statements = [:]
    }
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK, let statement
    else {
      throw failure()
    }
    statements[sql] = statement
    return statement
  }

  private func value(_ statement: OpaquePointer, _ index: Int32) -> DatabaseValue {
    switch sqlite3_column_type(statement, index) {
    case SQLITE_INTEGER: DatabaseValue(storage: .int64(sqlite3_column_int64(statement, index)))
    case SQLITE_FLOAT: DatabaseValue(storage: .double(sqlite3_column_double(statement, index)))
    case SQLITE_TEXT:
      DatabaseValue(storage: .string(String(cString: sqlite3_column_text(statement, index))))
    case SQLITE_BLOB:
      DatabaseValue(
        storage: .blob(
          Data(
            bytes: sqlite3_column_blob(statement, index),
            count: Int(sqlite3_column_bytes(statement, index))
          )
        )
      )
    default: .null
    }
  }

  private func failure() -> Failure {
    Failure(message: String(cString: sqlite3_errmsg(connection)))
  }
}
