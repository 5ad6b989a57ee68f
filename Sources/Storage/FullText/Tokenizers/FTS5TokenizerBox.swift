/// The object behind SQLite's pointer to a tokenizer.
final class FTS5TokenizerBox {
  let tokenizer: any FTS5Tokenizer

  init(_ tokenizer: any FTS5Tokenizer) {
    self.tokenizer = tokenizer
  }
}
