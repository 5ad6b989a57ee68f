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
  /// - Throws: ``DatabaseError`` when the tokenizer does not exist, or when it does not accept the
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

/// A tokenizer that is registered with a connection, such as SQLite's own.
final class FTS5RegisteredTokenizer: FTS5Tokenizer {
  private let functions: fts5_tokenizer
  private let tokenizer: OpaquePointer?

  init(
    _ descriptor: FTS5TokenizerDescriptor,
    _ functions: fts5_tokenizer,
    _ context: UnsafeMutableRawPointer?
  ) throws {
    self.functions = functions
    var tokenizer: OpaquePointer?
    let words = descriptor.arguments.map { word in
      let bytes = word.utf8CString
      let buffer = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
      _ = buffer.initialize(from: bytes)
      return buffer
    }
    defer { for word in words { word.deallocate() } }
    var arguments = words.map { UnsafePointer<CChar>($0.baseAddress) }
    let code = functions.xCreate(context, &arguments, Int32(arguments.count), &tokenizer)
    guard code == SQLITE_OK else {
      throw DatabaseError(
        resultCode: ResultCode(rawValue: code),
        message: """
          the tokenizer \(descriptor.name) does not accept the arguments \(descriptor.arguments)
          """
      )
    }
    self.tokenizer = tokenizer
  }

  deinit {
    functions.xDelete(tokenizer)
  }

  func tokenize(
    context: UnsafeMutableRawPointer?,
    tokenization: FTS5Tokenization,
    pText: UnsafePointer<CChar>?,
    nText: CInt,
    tokenCallback: @escaping FTS5TokenCallback
  ) -> CInt {
    functions.xTokenize(tokenizer, context, tokenization.rawValue, pText, nText, tokenCallback)
  }
}

/// Creates a connection's instances of a tokenizer in Swift, on behalf of SQLite.
final class FTS5TokenizerFactory {
  // Cannot dangle: the connection owns SQLite's list of tokenizers, which owns this object.
  private unowned(unsafe) let database: Database
  private let makeTokenizer: (Database, [String]) throws -> any FTS5Tokenizer

  init(
    _ database: Database,
    _ makeTokenizer: @escaping (Database, [String]) throws -> any FTS5Tokenizer
  ) {
    self.database = database
    self.makeTokenizer = makeTokenizer
  }

  func make(
    _ arguments: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
    _ count: Int,
    _ result: UnsafeMutablePointer<OpaquePointer?>
  ) -> Int32 {
    let arguments = (0..<count).compactMap { arguments?[$0].map { String(cString: $0) } }
    do {
      let tokenizer = try makeTokenizer(database, arguments)
      let box = Unmanaged.passRetained(FTS5TokenizerBox(tokenizer))
      result.pointee = OpaquePointer(box.toOpaque())
      return SQLITE_OK
    } catch {
      result.pointee = nil
      return (error as? DatabaseError)?.extendedResultCode.rawValue ?? SQLITE_ERROR
    }
  }
}

/// The object behind SQLite's pointer to a tokenizer.
final class FTS5TokenizerBox {
  let tokenizer: any FTS5Tokenizer

  init(_ tokenizer: any FTS5Tokenizer) {
    self.tokenizer = tokenizer
  }
}
