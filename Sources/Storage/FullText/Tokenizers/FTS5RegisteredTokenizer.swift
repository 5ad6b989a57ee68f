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
