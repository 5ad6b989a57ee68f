final class SynonymTokenizer: FTS5CustomTokenizer {
  static let name = "synonyms"
  init(db: Database, arguments: [String]) throws {}
}
let input = ""
