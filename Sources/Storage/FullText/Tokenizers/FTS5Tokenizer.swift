internal import CWellspringSQLite

/// Splits texts into tokens, for a table of ``FTS5``.
///
/// ``Database/makeTokenizer(_:)`` creates SQLite's tokenizers; implement ``FTS5CustomTokenizer``
/// for one in Swift.
public protocol FTS5Tokenizer: AnyObject {
  /// Finds the tokens of a text.
  ///
  /// A tokenizer implements this method or
  /// ``tokenize(context:tokenization:pText:nText:tokenCallback:)``, which is the other one by
  /// default.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - tokenization: The purpose of the tokenization.
  ///   - found: Called with each token, from the beginning to the end. Errors that it throws must
  ///     be rethrown.
  /// - Throws: Any error, which makes the statement fail.
  func tokenize(
    _ text: String,
    for tokenization: FTS5Tokenization,
    found: (FTS5Token) throws -> Void
  ) throws

  /// Finds the tokens of a text in memory, as a C function of SQLite.
  /// https://www.sqlite.org/fts5.html#custom_tokenizers
  ///
  /// - Parameters:
  ///   - context: The first argument of the callback.
  ///   - tokenization: The purpose of the tokenization.
  ///   - pText: The text in UTF-8, which need not be valid.
  ///   - nText: The length of the text, in bytes.
  ///   - tokenCallback: Called with each token, from the beginning to the end.
  /// - Returns: 0 for success, or the first other result of the callback.
  func tokenize(
    context: UnsafeMutableRawPointer?,
    tokenization: FTS5Tokenization,
    pText: UnsafePointer<CChar>?,
    nText: CInt,
    tokenCallback: @escaping FTS5TokenCallback
  ) -> CInt
}

extension FTS5Tokenizer {
  /// Returns the tokens of a text that is indexed.
  ///
  /// - Throws: Any error of the tokenizer.
  public func tokenize(document: String) throws -> [(token: String, flags: FTS5TokenFlags)] {
    try tokens(of: document, for: .document)
  }

  /// Returns the tokens of a text that is searched for.
  ///
  /// - Throws: Any error of the tokenizer.
  public func tokenize(query: String) throws -> [(token: String, flags: FTS5TokenFlags)] {
    try tokens(of: query, for: .query)
  }

  private func tokens(
    of text: String,
    for tokenization: FTS5Tokenization
  ) throws -> [(token: String, flags: FTS5TokenFlags)] {
    var tokens: [(token: String, flags: FTS5TokenFlags)] = []
    try tokenize(text, for: tokenization) { tokens.append(($0.text, $0.flags)) }
    return tokens
  }
}

// Each of the two methods of a tokenizer is implemented by the other one.

extension FTS5Tokenizer {
  /// Finds the tokens of a text by
  /// ``tokenize(context:tokenization:pText:nText:tokenCallback:)``.
  public func tokenize(
    _ text: String,
    for tokenization: FTS5Tokenization,
    found: (FTS5Token) throws -> Void
  ) throws {
    try withoutActuallyEscaping(found) { found in
      let run = FTS5TokenRun(self, found)
      var text = text
      let code = text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { bytes in
          tokenize(
            context: Unmanaged.passUnretained(run).toOpaque(),
            tokenization: tokenization,
            pText: bytes.baseAddress,
            nText: Int32(clamping: bytes.count),
            tokenCallback: FTS5TokenRun.callback
          )
        }
      }
      if let error = run.error { throw error }
      guard code == SQLITE_OK else {
        throw DatabaseError(resultCode: ResultCode(rawValue: code))
      }
    }
  }

  /// Finds the tokens of a text in memory by ``tokenize(_:for:found:)``.
  public func tokenize(
    context: UnsafeMutableRawPointer?,
    tokenization: FTS5Tokenization,
    pText: UnsafePointer<CChar>?,
    nText: CInt,
    tokenCallback: @escaping FTS5TokenCallback
  ) -> CInt {
    precondition(
      FTS5TokenRun.tokenizer(of: tokenCallback, context) !== self,
      "A tokenizer must implement tokenize(_:for:found:): \(type(of: self)) implements nothing."
    )
    let bytes = UnsafeRawBufferPointer(start: pText, count: pText == nil ? 0 : Int(nText))
    do {
      try tokenize(String(decoding: bytes, as: UTF8.self), for: tokenization) { token in
        // SQLite reads the original text at these positions. When that is not valid UTF-8,
        // positions in its repaired copy may lie outside.
        let end = min(max(token.range.upperBound, 0), bytes.count)
        let start = min(max(token.range.lowerBound, 0), end)
        var word = token.text
        let code = word.withUTF8 { word in
          word.withMemoryRebound(to: CChar.self) { word in
            tokenCallback(
              context,
              token.flags.rawValue,
              word.baseAddress,
              Int32(clamping: word.count),
              Int32(start),
              Int32(end)
            )
          }
        }
        guard code == SQLITE_OK else { throw FTS5TokenRun.Stop(code: code) }
      }
      return SQLITE_OK
    } catch let stop as FTS5TokenRun.Stop {
      return stop.code
    } catch {
      return (error as? DatabaseError)?.extendedResultCode.rawValue ?? SQLITE_ERROR
    }
  }
}
