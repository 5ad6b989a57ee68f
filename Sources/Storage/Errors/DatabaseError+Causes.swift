internal import CWellspringSQLite
internal import Glibc
internal import WellspringSystem

extension DatabaseError {
  /// Returns the cause that SQLite's "no query solution" leaves out: a table without row ids cannot
  /// be read where a collation of its primary key is missing.
  static func missingCollation(message: String, _ connection: OpaquePointer) -> String? {
    guard message == "no query solution" else { return nil }
    let missing = collationsOfKeys(connection).filter { !canCompare(with: $0, connection) }
    let names = missing.isEmpty ? "" : ": \(missing.joined(separator: ", "))"
    return "the key of a table has a collation that the connection lacks\(names)"
  }

  /// Returns the collations of the primary keys of tables without row ids.
  private static func collationsOfKeys(_ connection: OpaquePointer) -> [String] {
    let sql = """
      SELECT DISTINCT key.coll
      FROM pragma_table_list AS list, pragma_index_list(list.name) AS lookup,
        pragma_index_xinfo(lookup.name) AS key
      WHERE list.wr AND lookup.origin = 'pk'
      """
    var names: [String] = []
    var statement: OpaquePointer?
    sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
    while sqlite3_step(statement) == CWellspringSQLite.SQLITE_ROW,
      let text = sqlite3_column_text(statement, 0)
    {
      names.append(String(cString: text))
    }
    sqlite3_finalize(statement)
    return names
  }

  /// Whether the connection has a collation. SQLite's list of collations has missing ones, too.
  private static func canCompare(with collation: String, _ connection: OpaquePointer) -> Bool {
    var statement: OpaquePointer?
    let sql = "SELECT '' < '' COLLATE \(collation.quotedDatabaseIdentifier)"
    defer { sqlite3_finalize(statement) }
    return sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
      == CWellspringSQLite.SQLITE_OK
  }
}

extension DatabaseError {
  /// Finds the compile option whose absence explains an error of SQLite's compiler.
  ///
  /// SQLite says only that it knows no such module or function, or that the syntax is wrong.
  ///
  /// - Parameters:
  ///   - message: SQLite's message.
  ///   - sql: The statement.
  /// - Returns: The option; `nil` when the error has another reason.
  static func missingOption(message: String, sql: String?) -> CompileOption? {
    guard let option = neededOption(message: message, sql: sql), !option.isPresent else {
      return nil
    }
    return option
  }

  private static func neededOption(message: String, sql: String?) -> CompileOption? {
    if let module = message.removingPrefix("no such module: ") {
      return optionsOfModules[module.asciiLowercased]
    }
    if let function = message.removingPrefix("no such function: ")?.asciiLowercased {
      if mathFunctions.contains(function) { return .mathFunctions }
      return optionsOfFunctions[function]
    }
    guard limitErrors.contains(message.asciiLowercased), let sql else { return nil }
    let words = sql.asciiLowercased.split { !$0.isLetter }
    return words.contains("update") || words.contains("delete") ? .updateDeleteLimit : nil
  }

  private static let limitErrors: Set<String> = [
    #"near "limit": syntax error"#, #"near "order": syntax error"#,
  ]

  private static let optionsOfModules: [String: CompileOption] = [
    "fts3": .fts3, "fts4": .fts4, "fts5": .fts5, "fts5vocab": .fts5, "rtree": .rtree,
    "rtree_i32": .rtree,
  ]

  private static let optionsOfFunctions: [String: CompileOption] = [
    "bm25": .fts5, "fts5": .fts5, "highlight": .fts5, "soundex": .soundex,
  ]

  /// https://www.sqlite.org/lang_mathfunc.html
  private static let mathFunctions: Set<String> = [
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "ceil", "ceiling", "cos", "cosh",
    "degrees", "exp", "floor", "ln", "log", "log10", "log2", "mod", "pi", "pow", "power", "radians",
    "sin", "sinh", "sqrt", "tan", "tanh", "trunc",
  ]
}

extension String {
  fileprivate func removingPrefix(_ prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}

extension DatabaseError {
  /// Returns the resource that the process or the machine has run out of, or `nil` when the last
  /// error of a connection has another reason.
  static func missingResource(code: Int32, _ connection: OpaquePointer) -> String? {
    let failure: Int32?
    switch code & 0xFF {
    case CWellspringSQLite.SQLITE_IOERR: failure = systemError(connection)
    case CWellspringSQLite.SQLITE_CANTOPEN:
      let error = sqlite3_system_errno(connection)
      // A journal that cannot be made is opened for reading next, and does not exist.
      failure = error == ENOENT && isReadOnlySystem(connection) ? EROFS : error
    case CWellspringSQLite.SQLITE_READONLY: failure = isReadOnlySystem(connection) ? EROFS : nil
    // SQLite keeps the error of the system for I/O errors and failed openings only.
    default: failure = nil
    }
    return switch failure {
    case EMFILE: "the process has no file descriptors left"
    case ENFILE: "the machine has no file descriptors left"
    case ENOSPC: "the disk is full"
    case EDQUOT: "the disk quota of the user is used up"
    case EROFS: "the file system is read-only"
    case ENOLCK: "the machine has no file locks left"
    case ENOMEM: "the machine has no memory left"
    case ENAMETOOLONG: "a file name is too long: SQLite adds endings such as -journal to it"
    default: nil
    }
  }
  private static func isReadOnlySystem(_ connection: OpaquePointer) -> Bool {
    guard let name = sqlite3_db_filename(connection, "main"), name.pointee != 0 else {
      return false
    }
    return FileAccess.isReadOnlySystem(FilePath.split(String(cString: name)).directory)
  }

  /// The error of the system behind an I/O error.
  ///
  /// SQLite does not keep it for the connection when a commit to the WAL fails, but each file keeps
  /// its own last one. Old errors stay: where several are known, none of them is sure.
  private static func systemError(_ connection: OpaquePointer) -> Int32? {
    var journal: UnsafeMutablePointer<sqlite3_file>?
    sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &journal)
    var ofFile: Int32 = 0
    sqlite3_file_control(connection, "main", SQLITE_FCNTL_LAST_ERRNO, &ofFile)
    var ofJournal: Int32 = 0
    if let journal, let methods = journal.pointee.pMethods {
      _ = methods.pointee.xFileControl(journal, SQLITE_FCNTL_LAST_ERRNO, &ofJournal)
    }
    let known = Set([sqlite3_system_errno(connection), ofFile, ofJournal]).subtracting([0])
    return known.count == 1 ? known.first : nil
  }
}
