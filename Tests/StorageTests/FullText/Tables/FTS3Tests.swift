import Storage
import Testing

@Suite struct FTS3Tests {
  @Test func `FTS-18: a definition of an FTS3 table writes the expected SQL`() throws {
    try expectTable(FTS3(), "fts3(content)") { $0.column("content") }
    try expectTable(FTS3(), #"fts3("a ""b""", "order", tokenize=porter)"#) { t in
      t.tokenizer = .porter
      t.column("a \"b\"")
      t.column("order")
    }
  }
}
