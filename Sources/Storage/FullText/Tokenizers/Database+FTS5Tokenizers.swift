internal import CWellspringSQLite

extension Database {
  /// Adds a tokenizer to the connection.
  ///
  ///     configuration.prepareDatabase { db in try db.add(tokenizer: CommaTokenizer.self) }
  ///
  /// - Throws: ``DatabaseError``.
  public func add<Tokenizer: FTS5CustomTokenizer>(tokenizer: Tokenizer.Type) throws {
    let api = try fts5API()
    let maker = FTS5TokenizerMaker(self) { db, arguments in
      try Tokenizer(db: db, arguments: arguments)
    }
    var functions = fts5_tokenizer(
      xCreate: { context, arguments, count, result in
        let maker = Unmanaged<FTS5TokenizerMaker>.fromOpaque(context!).takeUnretainedValue()
        return maker.make(arguments, Int(count), result!)
      },
      xDelete: { tokenizer in
        guard let tokenizer else { return }
        Unmanaged<FTS5TokenizerBox>.fromOpaque(UnsafeRawPointer(tokenizer)).release()
      },
      xTokenize: { tokenizer, context, flags, text, count, found in
        Unmanaged<FTS5TokenizerBox>.fromOpaque(UnsafeRawPointer(tokenizer!)).takeUnretainedValue()
          .tokenize(FTS5Tokenization(rawValue: flags), text, count, context, found!)
      }
    )
    let code = api.pointee.xCreateTokenizer(
      api,
      Tokenizer.name,
      Unmanaged.passRetained(maker).toOpaque(),
      &functions,
      { Unmanaged<FTS5TokenizerMaker>.fromOpaque($0!).release() }
    )
    guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: sqliteConnection) }
  }

  /// Makes a tokenizer that the connection knows, to find out what it does, or to wrap it.
  ///
  ///     let tokenizer = try db.makeTokenizer(.porter())
  ///     try tokenizer.tokenize(document: "Databases")
  ///     // [("databas", [])]
  ///
  /// - Throws: ``DatabaseError`` when there is no such tokenizer, or when it does not take the arguments.
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

  /// What FTS5 offers to extensions.
  /// https://www.sqlite.org/fts5.html#extending_fts5
  private func fts5API() throws -> UnsafeMutablePointer<fts5_api> {
    checkAccess()
    var api: UnsafeMutablePointer<fts5_api>?
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    let code = sqlite3_prepare_v2(sqliteConnection, "SELECT fts5(?)", -1, &statement, nil)
    guard code == SQLITE_OK else {
      throw DatabaseError(code: code, connection: sqliteConnection, sql: "SELECT fts5(?)")
    }
    withUnsafeMutablePointer(to: &api) { pointer in
      sqlite3_bind_pointer(statement, 1, pointer, "fts5_api_ptr", nil)
      sqlite3_step(statement)
    }
    guard let api else {
      throw DatabaseError(message: "the SQLite library was built without FTS5")
    }
    return api
  }
}

// MARK: - Swift's tokenizers in SQLite

/// What makes the tokenizers of a connection's tables.
private final class FTS5TokenizerMaker {
  // The connection owns SQLite's list of tokenizers, which owns this.
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

/// What SQLite takes for a tokenizer.
private final class FTS5TokenizerBox {
  /// SQLite wants no more words, for a reason that it knows.
  private struct Stop: Error { let code: Int32 }

  private let tokenizer: any FTS5Tokenizer

  init(_ tokenizer: any FTS5Tokenizer) {
    self.tokenizer = tokenizer
  }

  func tokenize(
    _ tokenization: FTS5Tokenization,
    _ text: UnsafePointer<CChar>?,
    _ count: Int32,
    _ context: UnsafeMutableRawPointer?,
    _ found: FTS5Callback
  ) -> Int32 {
    let bytes = UnsafeRawBufferPointer(start: text, count: text == nil ? 0 : Int(count))
    do {
      try tokenizer.tokenize(
        String(decoding: bytes, as: UTF8.self),
        for: tokenization
      ) { token in
        // SQLite reads the text at these places: a text that is no UTF-8 has others than its copy.
        let end = min(max(token.range.upperBound, 0), bytes.count)
        let start = min(max(token.range.lowerBound, 0), end)
        var word = token.text
        let code = word.withUTF8 { word in
          word.withMemoryRebound(to: CChar.self) { word in
            found(
              context,
              token.flags.rawValue,
              word.baseAddress,
              Int32(clamping: word.count),
              Int32(start),
              Int32(end)
            )
          }
        }
        guard code == SQLITE_OK else { throw Stop(code: code) }
      }
      return SQLITE_OK
    } catch let stop as Stop {
      return stop.code
    } catch {
      return (error as? DatabaseError)?.extendedResultCode.rawValue ?? SQLITE_ERROR
    }
  }
}

private typealias FTS5Callback =
  @convention(c) (
    UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, Int32, Int32, Int32
  ) -> Int32

// MARK: - SQLite's tokenizers in Swift

/// A tokenizer that a connection knows.
private final class FTS5RegisteredTokenizer: FTS5Tokenizer {
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
        message: "the tokenizer \(descriptor.name) does not take \(descriptor.arguments)"
      )
    }
    self.tokenizer = tokenizer
  }

  deinit {
    functions.xDelete(tokenizer)
  }

  private final class Run {
    let found: (FTS5Token) throws -> Void
    var error: (any Error)?

    init(_ found: @escaping (FTS5Token) throws -> Void) {
      self.found = found
    }
  }

  func tokenize(
    _ text: String,
    for tokenization: FTS5Tokenization,
    found: (FTS5Token) throws -> Void
  ) throws {
    try withoutActuallyEscaping(found) { found in
      let run = Run(found)
      var text = text
      let code = text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { bytes in
          functions.xTokenize(
            tokenizer,
            Unmanaged.passUnretained(run).toOpaque(),
            tokenization.rawValue,
            bytes.baseAddress,
            Int32(clamping: bytes.count)
          ) { context, flags, word, count, start, end in
            let run = Unmanaged<Run>.fromOpaque(context!).takeUnretainedValue()
            let bytes = UnsafeRawBufferPointer(start: word, count: Int(count))
            let token = FTS5Token(
              String(decoding: bytes, as: UTF8.self),
              at: Int(start)..<Int(end),
              flags: FTS5TokenFlags(rawValue: flags)
            )
            do {
              try run.found(token)
              return SQLITE_OK
            } catch {
              run.error = error
              return SQLITE_ERROR
            }
          }
        }
      }
      if let error = run.error { throw error }
      guard code == SQLITE_OK else {
        throw DatabaseError(resultCode: ResultCode(rawValue: code))
      }
    }
  }
}
