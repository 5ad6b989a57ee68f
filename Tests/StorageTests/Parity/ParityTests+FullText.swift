import Storage
import Testing

@testable import StorageTestSupport

/// Finds the words between slashes, as a C function.
private final class PathTokenizer: FTS5CustomTokenizer {
  static let name = "path"

  init(db: Database, arguments: [String]) throws {}

  func tokenize(
    context: UnsafeMutableRawPointer?,
    tokenization: FTS5Tokenization,
    pText: UnsafePointer<CChar>?,
    nText: CInt,
    tokenCallback: @escaping FTS5TokenCallback
  ) -> CInt {
    guard let pText else { return 0 }
    var start: CInt = 0
    for end in 0...nText where end == nText || pText[Int(end)] == 0x2F {
      if end > start {
        let code = tokenCallback(context, 0, pText + Int(start), end - start, start, end)
        if code != 0 { return code }
      }
      start = end + 1
    }
    return 0
  }
}

/// Adds a synonym to the index.
private final class SynonymTokenizer: FTS5WrapperTokenizer {
  static let name = "synonym"
  let wrappedTokenizer: any FTS5Tokenizer

  init(db: Database, arguments: [String]) throws {
    wrappedTokenizer = try db.makeTokenizer(.unicode61())
  }

  func accept(
    token: String,
    flags: FTS5TokenFlags,
    for tokenization: FTS5Tokenization,
    tokenCallback: FTS5WrapperTokenCallback
  ) throws {
    try tokenCallback(token, flags)
    if tokenization.contains(.document), token == "first" { try tokenCallback("1st", .colocated) }
  }
}

extension ParityTests {
  /// A part of ``schema``.
  static let fullText: [ParityLine] = [
    .same(.api(22), "FTS5Tokenizer.tokenize(context:tokenization:pText:nText:tokenCallback:)") {
      try withDatabase { db in
        db.add(tokenizer: PathTokenizer.self)
        try db.create(virtualTable: "file", using: FTS5()) { t in
          t.tokenizer = PathTokenizer.tokenizerDescriptor()
          t.column("path")
        }
        try db.execute(sql: "INSERT INTO file VALUES ('usr/local/lib'), ('usr/share')")
        let sql = "SELECT rowid FROM file WHERE file MATCH ?"
        try #expect(Int.fetchAll(db, sql: sql, arguments: ["local"]) == [1])
        let tokenizer = try db.makeTokenizer(PathTokenizer.tokenizerDescriptor())
        try #expect(tokenizer.tokenize(document: "a/b").map(\.token) == ["a", "b"])
      }
    },
    .same(.api(22), "FTS5WrapperTokenizer.accept(token:flags:for:tokenCallback:)") {
      try withDatabase { db in
        db.add(tokenizer: SynonymTokenizer.self)
        let tokenizer = try db.makeTokenizer(SynonymTokenizer.tokenizerDescriptor())
        let tokens = try tokenizer.tokenize(document: "First page")
        #expect(tokens.map(\.token) == ["first", "1st", "page"])
        #expect(tokens.map(\.flags) == [[], .colocated, []])
      }
    },
    .same(.api(22), "FTS5Pattern(rawPattern:allowedColumns:)") {
      let pattern = try FTS5Pattern(rawPattern: "title: sea*", allowedColumns: ["title"])
      #expect(pattern.rawPattern == "title: sea*")
      #expect(throws: DatabaseError.self) { try FTS5Pattern(rawPattern: "title: sea*") }
    },
    .same(.api(22), "FTS5TokenizerDescriptor.trigram(caseSensitive:removeDiacritics:)") {
      let tokenizer = FTS5TokenizerDescriptor.trigram(caseSensitive: true)
      #expect(tokenizer.components == ["trigram", "case_sensitive", "1"])
      let diacritics: FTS5.Diacritics = .remove
      #expect(FTS5TokenizerDescriptor.unicode61(diacritics: diacritics).components.count == 3)
    },
  ]
}
