internal import CWellspringSQLite

/// A tokenizer that is registered with a connection, such as those of SQLite.
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
