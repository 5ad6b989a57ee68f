internal import CWellspringSQLite

/// Compiles the statements of an SQL string one by one.
struct StatementReader {
  private let database: Database
  let sql: String
  /// The UTF-8 bytes of `sql`, with a NUL at the end.
  private let bytes: ContiguousArray<CChar>
  private var offset = 0

  init(database: Database, sql: String) {
    self.database = database
    self.sql = sql
    bytes = sql.utf8CString
  }

  /// Whether more text follows, other than spaces and semicolons. It may be only a comment.
  var hasMore: Bool { !bytes.dropFirst(offset).dropLast().allSatisfy(Self.isSpace) }

  /// Returns whether only spaces, comments and semicolons follow.
  ///
  /// It compiles the remaining text, because only SQLite knows its comment syntax.
  mutating func isAtEnd() throws -> Bool {
    skipSpaces()
    guard offset < bytes.count - 1 else { return true }
    var rest = self
    do {
      return try rest.next(isPersistent: false) == nil
    } catch is DatabaseError {
      // A statement follows that does not compile yet. It may need tables that earlier ones create.
      return false
    }
  }

  /// Compiles and returns the next statement, or `nil` at the end. `isPersistent` is a hint for
  /// SQLite that the statement will be kept for a long time.
  mutating func next(isPersistent: Bool) throws -> Statement? {
    try database.requireAccess()
    try database.cancellation.check()
    if let refusal = database.refusal { throw refusal }
    guard !sql.utf8.contains(0) else {
      throw UnknownColumn.error(in: sql)
        ?? DatabaseError(
          resultCode: .SQLITE_MISUSE,
          message: "the SQL holds a NUL character, which would end it: bind values as arguments",
          sql: sql
        )
    }
    skipSpaces()
    while offset < bytes.count - 1 {
      var statement: OpaquePointer?
      let flags = isPersistent ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
      var code: Int32 = SQLITE_OK
      var consumed = 0
      database.beginTimeLimit()
      defer { database.endTimeLimit() }
      func compile() -> StatementEffects? {
        let (_, effects) = database.authorizer.record {
          bytes.withUnsafeBufferPointer { bytes in
            let start = bytes.baseAddress! + offset
            var tail: UnsafePointer<CChar>?
            code = sqlite3_prepare_v3(
              database.sqliteConnection,
              start,
              Int32(clamping: bytes.count - offset),
              flags,
              &statement,
              &tail
            )
            consumed = tail.map { $0 - start } ?? 0
          }
        }
        return effects
      }
      var effects = compile()
      if code == SQLITE_OK, effects?.mayConnectToVirtualTable == true {
        sqlite3_finalize(statement)
        statement = nil
        effects = compile()
      }
      if effects?.setsAutoCheckpoint == true {
        database.walHook?.reinstall()
      }
      guard code == SQLITE_OK else {
        if let interruption = database.interruption(code, sql: sql) { throw interruption }
        if code == SQLITE_AUTH, let refusal = database.authorizer.refusal {
          guard !refusal.isEmpty else { throw database.readonlyError(sql: sql) }
          throw DatabaseError(resultCode: .SQLITE_AUTH, message: refusal, sql: sql)
        }
        throw DatabaseError(
          code: code,
          connection: database.sqliteConnection,
          sql: sql,
          sqlStart: offset
        )
      }
      offset += max(consumed, 1)
      // A comment or a lone semicolon compiles to nothing.
      guard let statement else { continue }
      return Statement(
        database: database,
        sqliteStatement: statement,
        effects: effects ?? StatementEffects()
      )
    }
    return nil
  }

  /// Throws when another statement follows: a syntax error when that statement has one, otherwise
  /// an error that only one statement is expected.
  mutating func checkNoneFollows() throws {
    skipSpaces()
    guard hasMore else { return }
    let start = offset
    var rest = self
    do {
      guard try rest.next(isPersistent: false) != nil else { return }
    } catch let error as DatabaseError where error.isSyntaxError {
      throw error
    } catch is DatabaseError {
      // The statement may need a table that the one before it creates.
    }
    throw DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: "several SQL statements where one is expected",
      sql: sql,
      sqlOffset: start,
      showsArguments: false
    )
  }

  private mutating func skipSpaces() {
    while offset < bytes.count - 1, Self.isSpace(bytes[offset]) { offset += 1 }
  }

  /// Returns whether SQLite ignores a character between statements: a space or a semicolon.
  private static func isSpace(_ character: CChar) -> Bool {
    [9, 10, 12, 13, 32, 59].contains(character)
  }
}

extension DatabaseError {
  /// Whether the SQL is invalid, whatever the schema.
  fileprivate var isSyntaxError: Bool {
    guard let message else { return false }
    return message.hasSuffix("syntax error") || message.hasPrefix("unrecognized token")
      || message == "incomplete input"
  }
}
