/// Where a full-text table keeps the texts of its rows, read from its `CREATE VIRTUAL TABLE`.
enum ContentSource: Equatable {
  /// In its own shadow tables, or nowhere (`content=''`).
  case shadows
  /// In another table or view of the same database, which it reads without telling the authorizer.
  case external(String)
  /// The module is not one of SQLite's full-text modules.
  case otherModule
  /// The statement is not understood.
  case unknown

  init(sql: String) {
    self = Self.find(in: Array(sql.utf8)).source
  }

  /// Returns the SQL with another content table; `nil` if it has none.
  static func sql(_ sql: String, withContent table: String) -> String? {
    var text = Array(sql.utf8)
    guard let range = find(in: text).range else { return nil }
    text.replaceSubrange(range, with: SQLLiteral.quoted(table).utf8)
    return String(decoding: text, as: UTF8.self)
  }

  /// Whether the SQL declares a table of FTS5.
  static func isFTS5(_ sql: String) -> Bool {
    let tokens = SQLToken.tokens(of: Array(sql.utf8)) ?? []
    return moduleName(tokens).map { tokens[$0].keyword } == Module.fts5.rawValue
  }

  private static func moduleName(_ tokens: [SQLToken]) -> Int? {
    guard let using = tokens.firstIndex(where: { $0.keyword == "USING" && $0.depth == 0 }),
      tokens.indices.contains(using + 1), tokens[using + 1].kind == .word
    else { return nil }
    return using + 1
  }

  /// Returns the source, and the range of the name of an external one.
  private static func find(in text: [UInt8]) -> (source: ContentSource, range: Range<Int>?) {
    guard let tokens = SQLToken.tokens(of: text), let name = moduleName(tokens) else {
      return (.unknown, nil)
    }
    guard let module = Module(tokens[name]) else { return (.otherModule, nil) }
    var found: (source: ContentSource, range: Range<Int>?) = (.shadows, nil)
    let inner = tokens[(name + 1)...].filter { $0.depth > 0 }
    for argument in inner.split(whereSeparator: isComma)
    where argument.dropFirst().first?.isSymbol("=") == true {
      guard let name = argument.first, module.isContent(name) else { continue }
      guard found.source == .shadows, argument.count == 3, let value = argument.last,
        let table = value.text(in: text)
      else { return (.unknown, nil) }
      if !table.isEmpty { found = (.external(table), value.range) }
    }
    return found
  }

  private static func isComma(_ token: SQLToken) -> Bool { token.isSymbol(",") && token.depth == 1 }

  private enum Module: String {
    case fts3 = "FTS3"
    case fts4 = "FTS4"
    case fts5 = "FTS5"

    init?(_ token: SQLToken) { self.init(rawValue: token.keyword) }

    /// Whether a token names the option `content`. FTS5 accepts the beginning of a name as the
    /// name.
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
