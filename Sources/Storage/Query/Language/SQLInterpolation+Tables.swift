internal import CWellspringSQLite

extension SQL {
  /// Whether the text has a subquery that may read a table under a name: `FROM visit`, but neither
  /// `FROM visit AS other` nor `visit.day`.
  ///
  /// A text that only seems to read the table stays right: the table outside of the text gets a
  /// name that it would not need.
  func readsTable(_ name: String) -> Bool {
    let words = words
    guard words.contains(where: { !$0.isQuoted && $0.text.asciiLowercased == "select" }) else {
      return false
    }
    let name = name.asciiLowercased
    return words.indices.contains { index in
      guard words[index].text.asciiLowercased == name, words[index].isName else { return false }
      guard index + 1 < words.count else { return true }
      return words[index + 1].text != "." && !words[index + 1].isTableAlias
    }
  }

  /// A word, a quoted name, or a character between them.
  private struct Word {
    var text: String
    var isQuoted = false
    var isName: Bool { isQuoted || text.utf8.first.map { $0.isPartOfName } ?? false }

    /// Whether the word after the name of a table is another name for it.
    var isTableAlias: Bool {
      guard isName, !isQuoted else { return isQuoted }
      return text.asciiLowercased == "as"
        || sqlite3_keyword_check(text, Int32(clamping: text.utf8.count)) == 0
    }
  }

  /// The words of the text. Values and expressions are single characters in it.
  private var words: [Word] {
    elements.flatMap { element -> [Word] in
      switch element {
      case .text(let text), .raw(let text, _): Self.words(of: text)
      case .identifier(let name): [Word(text: name, isQuoted: true)]
      case .table(let table): [Word(text: table.name, isQuoted: true)]
      case .expression, .selection, .ordering, .subquery, .definition: [Word(text: "?")]
      }
    }
  }

  private static func words(of text: String) -> [Word] {
    var words: [Word] = []
    var rest = Substring(text)
    while let first = rest.utf8.first {
      switch first {
      case UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "["), UInt8(ascii: "'"):
        let end = first == UInt8(ascii: "[") ? UInt8(ascii: "]") : first
        let content = rest.utf8.dropFirst()
        let close = content.firstIndex(of: end) ?? content.endIndex
        words.append(
          Word(
            text: String(content[..<close]) ?? "",
            isQuoted: first != UInt8(ascii: "'")
          )
        )
        if first == UInt8(ascii: "'") { words[words.count - 1].text = "?" }
        rest = Substring(content[close...].dropFirst())
      case let byte where byte.isPartOfName:
        let word = rest.utf8.prefix { $0.isPartOfName }
        words.append(Word(text: String(word) ?? ""))
        rest = Substring(rest.utf8.dropFirst(word.count))
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        rest = Substring(rest.utf8.dropFirst())
      case let byte:
        words.append(Word(text: String(UnicodeScalar(byte))))
        rest = Substring(rest.utf8.dropFirst())
      }
    }
    return words
  }
}

extension UInt8 {
  /// Whether the byte can be part of a name that is not quoted.
  fileprivate var isPartOfName: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }
}

// MARK: - Tables

extension SQLInterpolation {
  /// Embeds the name of a record type's table.
  ///
  ///     "SELECT * FROM \(Player.self)"
  ///     // SELECT * FROM "player"
  public mutating func appendInterpolation<Record: TableRecord>(_ type: Record.Type) {
    elements.append(.identifier(type.databaseTableName))
  }

  /// Embeds the name of a record's table.
  ///
  ///     let player = try Player.find(db, id: 1)
  ///     "DELETE FROM \(tableOf: player) WHERE id = \(player.id)"
  ///     // DELETE FROM "player" WHERE id = 1
  public mutating func appendInterpolation<Record: TableRecord>(tableOf record: Record) {
    elements.append(.identifier(Record.databaseTableName))
  }

  /// Embeds the name of a table.
  ///
  ///     "SELECT * FROM \(Table("player"))"
  ///     // SELECT * FROM "player"
  public mutating func appendInterpolation<RowDecoder>(_ table: Table<RowDecoder>) {
    elements.append(.table(table.tableReference))
  }

  /// Embeds the result columns that a record type selects by default, qualified with the name of
  /// its table, or with an alias.
  ///
  ///     "SELECT \(columnsOf: Player.self, tableAlias: "p") FROM player p"
  ///     // SELECT "p".* FROM player p
  public mutating func appendInterpolation<Record: TableRecord>(
    columnsOf type: Record.Type,
    tableAlias alias: String? = nil
  ) {
    let table = TableReference(tableName: type.databaseTableName, alias: alias)
    for (index, selection) in type.databaseSelection.enumerated() {
      if index > 0 { appendLiteral(", ") }
      elements.append(.selection(SQLSelection(.owned(selection.sqlSelection, by: table))))
    }
  }
}

// MARK: - Common table expressions

extension SQLInterpolation {
  /// Embeds the name of a common table expression.
  ///
  ///     "WITH \(definitionFor: leaders) SELECT * FROM \(leaders)"
  ///     // WITH "leader" AS (SELECT …) SELECT * FROM "leader"
  public mutating func appendInterpolation<RowDecoder>(
    _ expression: CommonTableExpression<RowDecoder>
  ) {
    elements.append(.table(expression.tableReference))
  }

  /// Embeds the definition of a common table expression, as `WITH` expects it.
  ///
  ///     "WITH \(definitionFor: leaders) SELECT * FROM \(leaders)"
  ///     // WITH "leader" AS (SELECT …) SELECT * FROM "leader"
  public mutating func appendInterpolation<RowDecoder>(
    definitionFor expression: CommonTableExpression<RowDecoder>
  ) {
    elements.append(.definition(expression.table))
  }
}

// MARK: - Collations

extension SQLInterpolation {
  /// Embeds the name of a collation.
  ///
  ///     "SELECT * FROM player ORDER BY email COLLATE \(.nocase)"
  ///     // SELECT * FROM player ORDER BY email COLLATE NOCASE
  public mutating func appendInterpolation(_ collation: Database.CollationName) {
    appendLiteral(collation.rawValue.sqlWord)
  }

  /// Embeds the name of a collation that Swift computes.
  ///
  ///     "SELECT * FROM player ORDER BY name COLLATE \(.localizedCompare)"
  ///     // SELECT * FROM player ORDER BY name COLLATE swiftLocalizedCompare
  public mutating func appendInterpolation(_ collation: DatabaseCollation) {
    appendLiteral(collation.name.sqlWord)
  }
}
