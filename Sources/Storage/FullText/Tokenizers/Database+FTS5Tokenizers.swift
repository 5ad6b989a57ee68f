internal import CWellspringSQLite

extension Database {
  /// Adds a tokenizer to this connection.
  ///
  ///     configuration.prepareDatabase { db in db.add(tokenizer: CommaTokenizer.self) }
  ///
  /// Where FTS5 is missing, or SQLite refuses the tokenizer, the error is reported to
  /// ``Database/reportFailure``, and the first use of the tokenizer fails.
  public func add<Tokenizer: FTS5CustomTokenizer>(tokenizer: Tokenizer.Type) {
    do {
      try define(tokenizer)
    } catch {
      ErrorLog.report(error, source: "the tokenizer \(Tokenizer.name)")
    }
  }

  private func define<Tokenizer: FTS5CustomTokenizer>(_ tokenizer: Tokenizer.Type) throws {
    let api = try fts5API()
    let factory = FTS5TokenizerFactory(self) { db, arguments in
      try Tokenizer(db: db, arguments: arguments)
    }
    var functions = fts5_tokenizer(
      xCreate: { context, arguments, count, result in
        let factory = Unmanaged<FTS5TokenizerFactory>.fromOpaque(context!).takeUnretainedValue()
        return factory.make(arguments, Int(count), result!)
      },
      xDelete: { tokenizer in
        guard let tokenizer else { return }
        Unmanaged<FTS5TokenizerBox>.fromOpaque(UnsafeRawPointer(tokenizer)).release()
      },
      xTokenize: { tokenizer, context, flags, text, count, found in
        Unmanaged<FTS5TokenizerBox>.fromOpaque(UnsafeRawPointer(tokenizer!)).takeUnretainedValue()
          .tokenizer.tokenize(
            context: context,
            tokenization: FTS5Tokenization(rawValue: flags),
            pText: text,
            nText: count,
            tokenCallback: found!
          )
      }
    )
    let code = api.pointee.xCreateTokenizer(
      api,
      Tokenizer.name,
      Unmanaged.passRetained(factory).toOpaque(),
      &functions,
      { Unmanaged<FTS5TokenizerFactory>.fromOpaque($0!).release() }
    )
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// Creates a tokenizer that the connection knows, to inspect its tokens or to wrap it.
  ///
  ///     let tokenizer = try db.makeTokenizer(.porter())
  ///     try tokenizer.tokenize(document: "Databases")
  ///     // [("databas", [])]
  ///
  /// - Throws: ``DatabaseError`` when there is no such tokenizer, or when it does not accept the
  ///   arguments.
  public func makeTokenizer(_ descriptor: FTS5TokenizerDescriptor) throws -> any FTS5Tokenizer {
    let api = try fts5API()
    var context: UnsafeMutableRawPointer?
    var functions = fts5_tokenizer()
    guard
      api.pointee.xFindTokenizer(api, descriptor.name, &context, &functions) == SQLITE_OK
    else {
      throw DatabaseError(message: "no such tokenizer: \(descriptor.name)")
    }
    return try FTS5RegisteredTokenizer(descriptor, functions, context)
  }

  /// The extension API of FTS5. https://www.sqlite.org/fts5.html#extending_fts5
  private func fts5API() throws -> UnsafeMutablePointer<fts5_api> {
    try requireAccess()
    try CompileOption.fts5.require(for: "its tokenizers")
    var api: UnsafeMutablePointer<fts5_api>?
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    let code = sqlite3_prepare_v2(sqliteConnection, "SELECT fts5(?)", -1, &statement, nil)
    guard code == SQLITE_OK else {
      throw failure(code, sql: "SELECT fts5(?)")
    }
    // SQLite does not copy the name of the type, and compares it in the step.
    "fts5_api_ptr".withCString { type in
      withUnsafeMutablePointer(to: &api) { pointer in
        sqlite3_bind_pointer(statement, 1, pointer, type, nil)
        sqlite3_step(statement)
      }
    }
    guard let api else {
      throw DatabaseError(message: "the SQLite library was built without FTS5")
    }
    return api
  }
}
