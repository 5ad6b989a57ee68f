internal import CWellspringSQLite

/// The object behind SQLite's pointer to a tokenizer.
final class FTS5TokenizerBox {
  /// SQLite's callback has ended the tokenization with a result code.
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
        // SQLite reads the original text at these positions. When that is not valid UTF-8,
        // positions in its repaired copy may lie outside.
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

typealias FTS5Callback =
  @convention(c) (
    UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, Int32, Int32, Int32
  ) -> Int32
