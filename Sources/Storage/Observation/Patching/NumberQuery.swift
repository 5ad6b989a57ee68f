/// A query with one row, whose only column says how many rows of a table match, or whether one
/// does: `SELECT count(*) FROM item WHERE …`, `SELECT EXISTS (SELECT * FROM item WHERE …)`.
struct NumberQuery: Hashable, Sendable {
  enum Subject: Sendable {
    case count
    case existence
  }

  let subject: Subject
  /// The query for the rows that are counted.
  let rowsSQL: String
  /// The column, with the number as its parameter.
  private let column: String
  private let isNamed: Bool

  /// Returns the query for the column, with the number as its parameter.
  ///
  /// - Parameter name: The name of the column in the original query.
  /// - Returns: The SQL.
  func valueSQL(columnName name: String) -> String {
    // SQLite names a column by its text, unless it has an alias.
    "SELECT \(column)" + (isNamed ? "" : " AS \(name.quotedDatabaseIdentifier)")
  }

  /// Reads a statement as such a query; `nil` if it is not one.
  ///
  /// - Throws: ``PatchObstacle`` when the rows do not come from a plain `SELECT`.
  init?(_ sql: String) throws(PatchObstacle) {
    let text = Array(sql.utf8)
    guard let tokens = SQLToken.tokens(of: text), tokens.first?.keyword == "SELECT" else {
      return nil
    }
    if let start = Self.startOfRows(in: tokens) {
      try self.init(existence: tokens, start, text)
    } else {
      try self.init(count: tokens, text)
    }
  }

  private init?(existence tokens: [SQLToken], _ start: Int, _ text: [UInt8]) throws(PatchObstacle) {
    let depth = tokens[start - 1].depth
    guard
      let end = tokens[start...].firstIndex(where: { $0.depth == depth && $0.isSymbol(")") }),
      start < end, Self.isEnding(tokens[(end + 1)...])
    else { return nil }
    let rows = try SelectText(Self.text(tokens[start..<end], text))
    subject = .existence
    rowsSQL = try Self.rowsSQL(rows, list: rows.list)
    column = (start == 4 ? "NOT ?1 " : "?1 ") + Self.text(tokens[(end + 1)...], text)
    isNamed = tokens[(end + 1)...].last.map(Self.isName) ?? false
  }

  private init?(count tokens: [SQLToken], _ text: [UInt8]) throws(PatchObstacle) {
    guard tokens.count > 5, tokens[1].keyword == "COUNT", tokens[2].isSymbol("("),
      tokens[3].isSymbol("*") || tokens[3].kind == .number, tokens[4].isSymbol(")"),
      let end = tokens.firstIndex(where: { $0.depth == 0 && $0.keyword == "FROM" }), end > 4,
      Self.isEnding(tokens[5..<end])
    else { return nil }
    subject = .count
    rowsSQL = try Self.rowsSQL(SelectText(String(decoding: text, as: UTF8.self)), list: "1")
    column = "?1 " + Self.text(tokens[5..<end], text)
    isNamed = tokens[5..<end].last.map(Self.isName) ?? false
  }

  /// Returns the index of the token after `SELECT [NOT] EXISTS (`.
  private static func startOfRows(in tokens: [SQLToken]) -> Int? {
    let exists = tokens.count > 1 && tokens[1].keyword == "NOT" ? 2 : 1
    guard tokens.count > exists + 2, tokens[exists].keyword == "EXISTS",
      tokens[exists + 1].isSymbol("(")
    else { return nil }
    return exists + 2
  }

  /// Whether tokens only compare the expression before them with numbers, and give it a name.
  private static func isEnding(_ tokens: ArraySlice<SQLToken>) -> Bool {
    var rest = tokens
    while let first = rest.first, !isName(first) {
      guard first.kind == .number || ["<", "=", ">", "!"].contains(where: first.isSymbol) else {
        return false
      }
      rest.removeFirst()
    }
    // A name after an operator is not an alias.
    guard
      rest.isEmpty || rest.startIndex == tokens.startIndex
        || tokens[rest.startIndex - 1].kind == .number
    else { return false }
    if rest.first?.keyword == "AS" { rest.removeFirst() }
    return rest.isEmpty || rest.count == 1 && rest.allSatisfy(isName)
  }

  private static func isName(_ token: SQLToken) -> Bool {
    token.kind == .word || token.kind == .quotedName
  }

  private static func rowsSQL(
    _ rows: SelectText,
    list: String
  ) throws(PatchObstacle) -> String {
    guard rows.limit == nil || rows.limit == "1", rows.offset == nil else { throw .countsWindow }
    guard !rows.cuts.isGrouped else { throw .groupsRows }
    let sql = "SELECT \(list) FROM \(rows.source)"
    return rows.condition.map { "\(sql) WHERE \($0)" } ?? sql
  }

  private static func text(_ tokens: ArraySlice<SQLToken>, _ text: [UInt8]) -> String {
    guard let first = tokens.first, let last = tokens.last else { return "" }
    return String(
      decoding: text[first.range.lowerBound..<last.range.upperBound],
      as: UTF8.self
    )
  }
}

/// Decides for one query whether its result is kept for patches, by the durations of its runs.
///
/// A quick query is run as a whole, and nothing is kept for it. When patches fail again and again,
/// because foreign commits or large transactions come in between, it is not patched for some runs.
struct PatchPolicy: Sendable {
  private static let maximumScore = 8
  private static let firstRest = 64
  private static let maximumRest = 4096

  /// How long the last run of the whole query took, in nanoseconds.
  private var wholeDuration: UInt64?
  /// How often the whole query has run: once, twice, or more often.
  private var wholeRuns = 0
  /// Rises with each patch, and falls with each result that was kept in vain.
  private var score = 0
  /// How many more runs nothing is kept.
  private var rest = 0
  private var nextRest = firstRest
  /// How many more runs keep nothing, because a result was kept in vain that took a second run.
  private var pause = 0
  private var nextPause = 1
  /// How many results in a row were kept. Changes during the fetch of the first one are not known,
  /// so that it may be kept in vain by chance.
  private var keptInRow = 0
  /// Why the query cannot be patched.
  private(set) var obstacle: PatchObstacle?

  /// Returns whether the next run of the whole query should keep its result for patches. A query
  /// that takes less than the threshold, in nanoseconds, is quick. With a threshold of 0, results
  /// are kept wherever that is possible.
  func keepsResult(threshold: UInt64) -> Bool {
    if threshold == 0 { return rest == 0 || obstacle == nil }
    return rest == 0 && pause == 0 && wholeDuration.map { !isQuick($0, threshold) } ?? false
  }

  /// The first run also compiles the query, and finds its region.
  private func isQuick(_ duration: UInt64, _ threshold: UInt64) -> Bool {
    (wholeRuns == 1 ? duration / Self.firstRunFactor : duration) < threshold
  }

  private static let firstRunFactor: UInt64 = 4

  /// Returns whether a patch for a number of rows is likely to take less than the whole query.
  func pays(rows: Int, threshold: UInt64) -> Bool {
    threshold == 0 || UInt64(rows) * Self.rowDuration < wholeDuration ?? 0
  }

  /// How long it takes to find the position of a row among a million.
  private static let rowDuration: UInt64 = 60_000

  mutating func notePatch(duration: UInt64) {
    keptInRow += 1
    let wasQuick = wholeDuration.map { duration < $0 } ?? true
    changeScore(by: wasQuick ? 1 : -2)
    if wasQuick {
      nextRest = Self.firstRest
      nextPause = 1
    }
  }

  /// The last result was kept, and cannot be patched.
  ///
  /// - Parameter bySecondRun: Whether a second statement read the rows to keep it. Then nothing is
  ///   kept by the next runs, which may follow changes that are as large.
  mutating func noteKeptInVain(bySecondRun: Bool = false) {
    changeScore(by: -2)
    guard bySecondRun, keptInRow > 1 else { return }
    pause = nextPause
    nextPause = min(nextPause * 2, Self.firstRest)
  }

  /// The whole query has run.
  ///
  /// - Parameters:
  ///   - duration: How long it took, in nanoseconds.
  ///   - isKept: Whether its result is kept.
  mutating func noteWholeRun(duration: UInt64, isKept: Bool = false) {
    wholeDuration = duration
    keptInRow = isKept ? keptInRow + 1 : 0
    wholeRuns = min(wholeRuns + 1, 2)
    if rest > 0 { rest -= 1 }
    if pause > 0 { pause -= 1 }
  }

  mutating func note(_ obstacle: PatchObstacle) {
    self.obstacle = obstacle
    beginRest()
  }

  /// Returns why nothing is kept of the last run; `nil` if that is not known.
  func reason(threshold: UInt64) -> PatchObstacle? {
    if let obstacle { return obstacle }
    guard let wholeDuration else { return nil }
    if isQuick(wholeDuration, threshold) { return .isQuick }
    return rest > 0 || pause > 0 ? .failedBefore : .wasSlowOnce
  }

  mutating func noteProof() { obstacle = nil }

  private mutating func changeScore(by difference: Int) {
    score = min(score + difference, Self.maximumScore)
    if score < -Self.maximumScore { beginRest() }
  }

  private mutating func beginRest() {
    score = 0
    rest = nextRest
    nextRest = min(nextRest * 2, Self.maximumRest)
  }
}
