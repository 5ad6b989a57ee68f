internal import CWellspringSQLite

/// What makes the tokenizers of a connection's tables.
final class FTS5TokenizerMaker {
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
final class FTS5TokenizerBox {
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

typealias FTS5Callback =
  @convention(c) (
    UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, Int32, Int32, Int32
  ) -> Int32
