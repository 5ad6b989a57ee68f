import Storage
import Testing

@Suite struct FullTextTableTests {
  /// Checks the SQL of a definition, which creates a table.
  private func expectDefinition<Module: VirtualTableModule>(
    _ module: Module,
    _ arguments: String,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (Module.TableDefinition) -> Void
  ) throws {
    try withDatabase { db throws in
      // FTS4 looks for the functions when it creates the table.
      db.add(function: DatabaseFunction("zip", argumentCount: 1) { $0[0] })
      db.add(function: DatabaseFunction("unzip", argumentCount: 1) { $0[0] })
      try db.execute(sql: "CREATE TABLE post (id INTEGER PRIMARY KEY, title TEXT, body TEXT)")
      try db.create(virtualTable: "mail", using: module, body)
      #expect(
        try String.fetchOne(db, sql: "SELECT sql FROM sqlite_master WHERE name = 'mail'")
          == "CREATE VIRTUAL TABLE \"mail\" USING \(arguments)",
        sourceLocation: sourceLocation
      )
    }
  }

  @Test("FTS-18: FTS3 tables")
  func fts3() throws {
    try expectDefinition(FTS3(), "fts3(content)") { $0.column("content") }
    try expectDefinition(FTS3(), #"fts3("a ""b""", "order", tokenize=porter)"#) { t in
      t.tokenizer = .porter
      t.column("a \"b\"")
      t.column("order")
    }
  }

  @Test("FTS-01…06, A-105: FTS4 tables and their options")
  func fts4() throws {
    try expectDefinition(FTS4(), "fts4(subject, body)") { t in
      t.column("subject")
      t.column("body")
    }
    try expectDefinition(FTS4(), "fts4(body, notindexed=body)") { $0.column("body").notIndexed() }
    try expectDefinition(FTS4(), #"fts4(body, languageid="lid")"#) { t in
      t.column("body")
      t.column("lid").asLanguageId()
    }
    try expectDefinition(FTS4(), #"fts4(body, order="desc")"#) { t in
      t.column("body")
      t.order = .desc
    }
    try expectDefinition(
      FTS4(),
      #"fts4(body, tokenize=unicode61 "remove_diacritics=0" "separators=x" "tokenchars=""-")"#
    ) { t in
      t.column("body")
      t.tokenizer = .unicode61(diacritics: .keep, separators: ["x"], tokenCharacters: ["-", "\""])
    }
    try expectDefinition(
      FTS4(),
      #"fts4(body, compress="zip", uncompress="unzip", matchinfo="fts3", prefix="2,4")"#
    ) { t in
      t.column("body")
      t.prefixes = [4, 2]
      t.compress = "zip"
      t.uncompress = "unzip"
      t.matchinfo = "fts3"
    }
    try expectDefinition(FTS4(), #"fts4(body, content="")"#) { t in
      t.column("body")
      t.content = ""
    }
    try expectDefinition(FTS4(), #"fts4(body, content="post")"#) { t in
      t.column("body")
      t.content = "post"
    }
  }

  @Test("FTS-13, FTS-17, A-106: FTS5 tables and their options")
  func fts5() throws {
    try expectDefinition(FTS5(), "fts5(subject, body UNINDEXED)") { t in
      t.column("subject")
      t.column("body").notIndexed()
    }
    try expectDefinition(FTS5(), #"fts5("a ""b""", "order")"#) { t in
      t.column("a \"b\"")
      t.column("order")
    }
    try expectDefinition(
      FTS5(),
      "fts5(body, content='post', content_rowid='id', prefix='2 4', columnsize=0, detail='column')"
    ) { t in
      t.column("body")
      t.content = "post"
      t.contentRowID = "id"
      t.prefixes = [2, 4]
      t.columnSize = 0
      t.detail = "column"
    }
  }

  private static let tokenizers: [(FTS5TokenizerDescriptor, String)] = [
    (.ascii(), "ascii"),
    (
      .ascii(separators: ["x"], tokenCharacters: ["-", "'"]),
      "ascii separators x tokenchars ''''''-''"
    ),
    (.unicode61(), "unicode61"),
    (
      .unicode61(diacritics: .remove, categories: "L* N*", tokenCharacters: ["."]),
      "unicode61 remove_diacritics 2 categories ''L* N*'' tokenchars ''.''"
    ),
    (.porter(), "porter"),
    (.porter(wrapping: .unicode61(diacritics: .keep)), "porter unicode61 remove_diacritics 0"),
    (.trigram(), "trigram"),
    (.trigram(isCaseSensitive: true), "trigram case_sensitive 1"),
  ]

  @Test("A-106: the tokenizers of FTS5", arguments: tokenizers.indices)
  func takesTokenizer(_ index: Int) throws {
    let (tokenizer, sql) = Self.tokenizers[index]
    try expectDefinition(FTS5(), "fts5(body, tokenize='\(sql)')") { t in
      t.column("body")
      t.tokenizer = tokenizer
    }
  }

  @Test func `a table that exists is an error, or left as it is`() throws {
    try withDatabase { db throws in
      try db.create(virtualTable: "mail", using: FTS5()) { $0.column("a") }
      expectDatabaseError(.SQLITE_ERROR, #"table "mail" already exists"#) {
        try db.create(virtualTable: "mail", using: FTS5()) { $0.column("b") }
      }
      try db.create(virtualTable: "MAIL", options: .ifNotExists, using: FTS5()) { $0.column("b") }
      try db.create(virtualTable: "mail", options: .ifNotExists, using: "fts5(c)")
      #expect(try db.columns(in: "mail").map(\.name) == ["a"])
    }
  }

  // MARK: Queries

  private struct Mail: Codable, Equatable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "mail"
    var subject: String
    var body: String
  }

  private static let mails = [
    Mail(subject: "Re: wonderful lamps", body: "The genie is in."),
    Mail(subject: "Dinner", body: "It will be wonderful, wonderful!"),
  ]

  private static let modules = ["fts3", "fts4", "fts5"]

  @Test(
    "FTS-07, FTS-08, FTS-09, FTS-12, FTS-16: rows are found by table and column",
    arguments: modules
  )
  func matches(_ module: String) throws {
    try withDatabase { db throws in
      try db.create(virtualTable: "mail", using: "\(module)(subject, body)")
      for mail in Self.mails { try mail.insert(db) }
      let pattern = FTS3Pattern(matchingAllPrefixesIn: "Wonder")
      let all = Mail.matching(pattern)
      #expect(try all.fetchAll(db) == Self.mails)
      expectSQL(
        try all.makePreparedRequest(db).statement,
        #"SELECT * FROM "mail" WHERE "mail" MATCH 'wonder*'"#
      )
      let subjects = Mail.filter(Column("subject").match(pattern))
      #expect(try subjects.fetchAll(db) == [Self.mails[0]])
      #expect(try Mail.matching(FTS3Pattern(matchingPhrase: "genie is")).fetchCount(db) == 1)
    }
  }

  @Test("FTS-11: no pattern matches nothing")
  func matchesNothing() throws {
    try withDatabase { db throws in
      try db.create(virtualTable: "mail", using: "fts5(subject, body)")
      for mail in Self.mails { try mail.insert(db) }
      #expect(try Mail.matching(nil as FTS3Pattern?).fetchCount(db) == 0)
      #expect(try Mail.matching(FTS5Pattern(matchingAllTokensIn: "?")).fetchAll(db) == [])
    }
  }

  @Test("FTS-14, A-109: FTS5 patterns choose columns, and rank rows")
  func ranks() throws {
    try withDatabase { db throws in
      try db.create(virtualTable: "mail", using: "fts5(subject, body)")
      for mail in Self.mails { try mail.insert(db) }
      let pattern = try db.makeFTS5Pattern(rawPattern: "subject: wonder*", forTable: "mail")
      #expect(try Mail.matching(pattern).fetchAll(db) == [Self.mails[0]])
      let any = FTS5Pattern(matchingAnyTokenIn: "wonderful")
      #expect(try Mail.matching(any).order(Column.rank).fetchOne(db) == Self.mails[1])
      let weighted = Mail.matching(any).order(FTS5.bm25(weights: [100, 1]))
      #expect(try weighted.fetchOne(db) == Self.mails[0])
      expectSQL(
        try weighted.makePreparedRequest(db).statement,
        #"SELECT * FROM "mail" WHERE "mail" MATCH 'wonderful' ORDER BY BM25("mail", 100.0, 1.0)"#
      )
    }
  }

  @Test func `FTS5 shows what was found`() throws {
    try withDatabase { db throws in
      try db.create(virtualTable: "mail", using: "fts5(subject, body)")
      for mail in Self.mails { try mail.insert(db) }
      let found = Mail.matching(FTS5Pattern(matchingAllTokensIn: "genie"))
      let marks = found.select(FTS5.highlight(column: 1, before: "<", after: ">"), as: String.self)
      #expect(try marks.fetchAll(db) == ["The <genie> is in."])
      expectSQL(
        try marks.makePreparedRequest(db).statement,
        #"SELECT HIGHLIGHT("mail", 1, '<', '>') FROM "mail" WHERE "mail" MATCH 'genie'"#
      )
      let parts = found.select(
        FTS5.snippet(before: "<", after: ">", tokenCount: 2),
        as: String.self
      )
      expectSQL(
        try parts.makePreparedRequest(db).statement,
        #"SELECT SNIPPET("mail", -1, '<', '>', '…', 2) FROM "mail" WHERE "mail" MATCH 'genie'"#
      )
      #expect(try parts.fetchAll(db) == ["The <genie>…"])
      let alias = TableAlias(name: "m")
      let aliased = Mail.all().aliased(alias).matching(FTS5Pattern(matchingAllTokensIn: "genie"))
        .select(FTS5.highlight(column: 1, before: "<", after: ">"), as: String.self)
      #expect(try aliased.fetchAll(db) == ["The <genie> is in."])
    }
  }

  @Test func `FTS4 shows what was found`() throws {
    try withDatabase { db throws in
      try db.create(virtualTable: "mail", using: "fts4(subject, body)")
      for mail in Self.mails { try mail.insert(db) }
      let found = Mail.matching(FTS3Pattern(matchingAllTokensIn: "genie"))
      let parts = found.select(FTS4.snippet(before: "<", after: ">"), as: String.self)
      #expect(try parts.fetchAll(db) == ["The <genie> is in."])
      expectSQL(
        try parts.makePreparedRequest(db).statement,
        #"SELECT SNIPPET("mail", '<', '>', '…', -1, 16) FROM "mail" WHERE "mail" MATCH 'genie'"#
      )
      #expect(try found.select(FTS4.offsets(), as: String.self).fetchOne(db) == "1 0 4 5")
      expectSQL(
        try found.select(FTS4.matchInfo()).makePreparedRequest(db).statement,
        #"SELECT MATCHINFO("mail", 'pcx') FROM "mail" WHERE "mail" MATCH 'genie'"#
      )
    }
  }

  @Test("FTS-19: tables made in SQL are optimized, rebuilt and checked", arguments: modules)
  func cares(_ module: String) throws {
    try withDatabase { db throws in
      try db.execute(sql: "CREATE VIRTUAL TABLE \"my mail\" USING \(module)(subject)")
      try db.execute(sql: "INSERT INTO \"my mail\" VALUES ('one')")
      let name = #""my mail""#
      try db.optimize(fullTextTable: "my mail")
      if module == "fts5" {
        try expectSQL(db, "INSERT INTO \(name) (\(name)) VALUES ('optimize')") {
          try db.optimize(fullTextTable: "my mail")
        }
      }
      try db.rebuild(fullTextTable: "my mail")
      try db.checkIntegrity(ofFullTextTable: "my mail")
    }
  }
}
