import Storage
import Testing

@Suite struct FTS5TokenizerDescriptorTests {
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
    (.trigram(isCaseSensitive: false), "trigram"),
    (.trigram(caseSensitive: true), "trigram case_sensitive 1"),
    (.trigram(caseSensitive: false), "trigram case_sensitive 0"),
  ]

  @Test(arguments: tokenizers.indices)
  func `A-106: descriptors of FTS5 tokenizers write the expected SQL`(_ index: Int) throws {
    let (tokenizer, sql) = Self.tokenizers[index]
    try expectTable(FTS5(), "fts5(body, tokenize='\(sql)')") { t in
      t.column("body")
      t.tokenizer = tokenizer
    }
  }

  @Test func `the options of the trigram tokenizer are arguments`() {
    // SQLite knows the second one since 3.45.
    let tokenizer = FTS5TokenizerDescriptor.trigram(caseSensitive: false, removeDiacritics: true)
    #expect(
      tokenizer.components == ["trigram", "case_sensitive", "0", "remove_diacritics", "1"]
    )
  }
}
