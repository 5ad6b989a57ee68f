import Storage
import Testing

@testable import StorageTestSupport

/// Splits texts at spaces, as a C function.
private final class SpaceTokenizer: FTS5CustomTokenizer {
  static let name = "space"

  init(db: Database, arguments: [String]) {}

  func tokenize(
    context: UnsafeMutableRawPointer?,
    tokenization: FTS5Tokenization,
    pText: UnsafePointer<CChar>?,
    nText: CInt,
    tokenCallback: @escaping FTS5TokenCallback
  ) -> CInt {
    guard let pText else { return 0 }
    var start: CInt = 0
    for end in 0...nText where end == nText || pText[Int(end)] == 0x20 {
      if end > start {
        let code = tokenCallback(context, 0, pText + Int(start), end - start, start, end)
        if code != 0 { return code }
      }
      start = end + 1
    }
    return 0
  }
}

/// Passes everything to another tokenizer, as a C function.
private final class PassingTokenizer: FTS5CustomTokenizer {
  static let name = "passing"
  private let base: any FTS5Tokenizer

  init(db: Database, arguments: [String]) throws {
    base = try db.makeTokenizer(FTS5TokenizerDescriptor(components: arguments))
  }

  func tokenize(
    context: UnsafeMutableRawPointer?,
    tokenization: FTS5Tokenization,
    pText: UnsafePointer<CChar>?,
    nText: CInt,
    tokenCallback: @escaping FTS5TokenCallback
  ) -> CInt {
    base.tokenize(
      context: context,
      tokenization: tokenization,
      pText: pText,
      nText: nText,
      tokenCallback: tokenCallback
    )
  }
}

/// Finds the whole text, in Swift.
private final class WholeTokenizer: FTS5CustomTokenizer {
  static let name = "whole"

  init(db: Database, arguments: [String]) {}

  func tokenize(
    _ text: String,
    for tokenization: FTS5Tokenization,
    found: (FTS5Token) throws -> Void
  ) throws {
    try found(FTS5Token(text, at: 0..<text.utf8.count))
  }
}

/// Adds the synonyms of a word to the index.
private final class NumberTokenizer: FTS5WrapperTokenizer {
  static let name = "numbers"
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
    if tokenization == .document, token == "one" { try tokenCallback("1", .colocated) }
  }
}

@Suite struct FTS5TokenizerCallbackTests {
  private func withTokenizers(_ body: (Database) throws -> Void) throws {
    try withDatabase { db in
      db.add(tokenizer: SpaceTokenizer.self)
      db.add(tokenizer: PassingTokenizer.self)
      db.add(tokenizer: WholeTokenizer.self)
      db.add(tokenizer: NumberTokenizer.self)
      try body(db)
    }
  }

  @Test(
    arguments: [
      (SpaceTokenizer.tokenizerDescriptor(), ["Zoë", "b,c"]),
      (PassingTokenizer.tokenizerDescriptor(arguments: ["unicode61"]), ["zoe", "b", "c"]),
      (PassingTokenizer.tokenizerDescriptor(arguments: ["space"]), ["Zoë", "b,c"]),
      (PassingTokenizer.tokenizerDescriptor(arguments: ["whole"]), ["Zoë  b,c"]),
    ]
  )
  func `a tokenizer may be a C function`(
    _ descriptor: FTS5TokenizerDescriptor,
    _ words: [String]
  ) throws {
    try withTokenizers { db in
      let tokenizer = try db.makeTokenizer(descriptor)
      try #expect(tokenizer.tokenize(document: "Zoë  b,c").map(\.token) == words)
      try db.create(virtualTable: "page", using: FTS5()) { t in
        t.tokenizer = descriptor
        t.column("text")
      }
      try db.execute(sql: "INSERT INTO page VALUES ('Zoë  b,c')")
      for word in words {
        let pattern = "\"\(word)\""
        let sql = "SELECT HIGHLIGHT(page, 0, '<', '>') FROM page WHERE page MATCH ?"
        let found = try String.fetchOne(db, sql: sql, arguments: [pattern])
        #expect(found?.contains("<") == true)
      }
    }
  }

  @Test func `the error of a closure ends a tokenization by a C function`() throws {
    struct Enough: Error {}
    try withTokenizers { db in
      let tokenizer = try db.makeTokenizer(SpaceTokenizer.tokenizerDescriptor())
      var words: [String] = []
      #expect(throws: Enough.self) {
        try tokenizer.tokenize("a b c", for: .document) { token in
          words.append(token.text)
          if words.count == 2 { throw Enough() }
        }
      }
      #expect(words == ["a", "b"])
    }
  }

  @Test func `a wrapper may accept the text and the flags of a token`() throws {
    try withTokenizers { db in
      let tokenizer = try db.makeTokenizer(NumberTokenizer.tokenizerDescriptor())
      let tokens = try tokenizer.tokenize(document: "Page One")
      #expect(tokens.map(\.token) == ["page", "one", "1"])
      #expect(tokens.map(\.flags) == [[], [], .colocated])
      try #expect(tokenizer.tokenize(query: "one").map(\.token) == ["one"])
    }
  }

  @Test func `a tokenizer that implements nothing stops the program`() async {
    await #expect(processExitsWith: .failure) {
      final class EmptyTokenizer: FTS5CustomTokenizer {
        static let name = "empty"
        init(db: Database, arguments: [String]) {}
      }
      try DatabaseQueue().write { db in
        let tokenizer = EmptyTokenizer(db: db, arguments: [])
        _ = try tokenizer.tokenize(document: "a")
      }
    }
  }
}
