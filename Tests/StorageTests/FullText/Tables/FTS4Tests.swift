import Storage
import Testing

@Suite struct FTS4Tests {
  @Test func `FTS-01…06, A-105: definitions of FTS4 tables write the expected SQL`() throws {
    try expectTable(FTS4(), "fts4(subject, body)") { t in
      t.column("subject")
      t.column("body")
    }
    try expectTable(FTS4(), "fts4(body, notindexed=body)") { $0.column("body").notIndexed() }
    try expectTable(FTS4(), #"fts4(body, languageid="lid")"#) { t in
      t.column("body")
      t.column("lid").asLanguageId()
    }
    try expectTable(FTS4(), #"fts4(body, order="desc")"#) { t in
      t.column("body")
      t.order = .desc
    }
    try expectTable(
      FTS4(),
      #"fts4(body, tokenize=unicode61 "remove_diacritics=0" "separators=x" "tokenchars=""-")"#
    ) { t in
      t.column("body")
      t.tokenizer = .unicode61(diacritics: .keep, separators: ["x"], tokenCharacters: ["-", "\""])
    }
    try expectTable(
      FTS4(),
      #"fts4(body, compress="zip", uncompress="unzip", matchinfo="fts3", prefix="2,4")"#
    ) { t in
      t.column("body")
      t.prefixes = [4, 2]
      t.compress = "zip"
      t.uncompress = "unzip"
      t.matchinfo = "fts3"
    }
    try expectTable(FTS4(), #"fts4(body, content="")"#) { t in
      t.column("body")
      t.content = ""
    }
    try expectTable(FTS4(), #"fts4(body, content="post")"#) { t in
      t.column("body")
      t.content = "post"
    }
  }
}
