final class CommaTokenizer: FTS5CustomTokenizer {
  static let name = "comma"
  init(db: Database, arguments: [String]) throws {}
}
