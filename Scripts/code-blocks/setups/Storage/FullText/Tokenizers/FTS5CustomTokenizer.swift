let t: FTS5TableDefinition = example()
let pattern: FTS5Pattern = example()
enum SynonymTokenizer {
  static func tokenizerDescriptor(arguments: [String]) -> FTS5TokenizerDescriptor { example() }
}
