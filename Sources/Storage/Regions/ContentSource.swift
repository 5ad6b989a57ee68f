/// Where a full-text table keeps the texts of its rows, read from its `CREATE VIRTUAL TABLE`.
enum ContentSource: Equatable {
  /// In its own shadow tables, or nowhere (`content=''`).
  case shadows
  /// In another table or view of the same database, which it reads without telling the authorizer.
  case external(String)
  /// The module is none of SQLite's full-text modules.
  case otherModule
  /// The statement is not understood.
  case unknown

  init(sql: String) {
    let text = Array(sql.utf8)
    guard let tokens = SQLToken.tokens(of: text),
      let using = tokens.firstIndex(where: { $0.keyword == "USING" && $0.depth == 0 }),
      tokens.indices.contains(using + 1), tokens[using + 1].kind == .word
    else {
      self = .unknown
      return
    }
    guard let module = Module(tokens[using + 1]) else {
      self = .otherModule
      return
    }
    self = .shadows
    let inner = tokens[(using + 2)...].filter { $0.depth > 0 }
    for argument in inner.split(whereSeparator: Self.isComma)
    where argument.dropFirst().first?.isSymbol("=") == true {
      guard let name = argument.first, module.isContent(name) else { continue }
      guard self == .shadows, argument.count == 3, let value = argument.last,
        let table = value.text(in: text)
      else {
        self = .unknown
        return
      }
      if !table.isEmpty { self = .external(table) }
    }
  }

  private static func isComma(_ token: SQLToken) -> Bool { token.isSymbol(",") && token.depth == 1 }

  private enum Module: String {
    case fts3 = "FTS3"
    case fts4 = "FTS4"
    case fts5 = "FTS5"

    init?(_ token: SQLToken) { self.init(rawValue: token.keyword) }

    /// Whether a token names the option `content`. FTS5 takes the beginning of a name for the name.
    func isContent(_ option: SQLToken) -> Bool {
      guard option.kind == .word else { return false }
      return self == .fts5 ? "CONTENT".hasPrefix(option.keyword) : option.keyword == "CONTENT"
    }
  }
}

extension SQLToken {
  /// The name or string, without its quotes; `nil` for other tokens.
  func text(in text: [UInt8]) -> String? {
    switch kind {
    case .word: return String(decoding: text[range], as: UTF8.self)
    case .quotedName, .string:
      // By bytes: a quote and a combining mark are one character of a `String`.
      let quote = text[range.upperBound - 1]
      let inner = text[range].dropFirst().dropLast()
      return String(decoding: inner.replacing([quote, quote], with: [quote]), as: UTF8.self)
    default: return nil
    }
  }
}
