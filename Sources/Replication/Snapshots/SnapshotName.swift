/// The name of a snapshot: its database, and the last entry that it contains.
package struct SnapshotName: Hashable, Sendable {
  private static let suffix = ".sqlite"
  private static let digitCount = 19

  let database: DatabaseID
  let position: LogPosition

  init(_ place: HistoryPosition) {
    database = place.database
    position = place.position
  }

  /// Reads a name.
  ///
  /// - Returns: `nil` if it is not the name of a snapshot of the database.
  init?(_ text: String, of database: DatabaseID) {
    let prefix = "\(database)-"
    guard text.hasPrefix(prefix), text.hasSuffix(Self.suffix) else { return nil }
    let digits = text.dropFirst(prefix.count).dropLast(Self.suffix.count)
    guard let number = Int64(digits), number > 0 else { return nil }
    self.database = database
    position = LogPosition(number)
  }

  /// The last entry in a snapshot of any database; `nil` for the name of something else.
  package static func position(in text: String) -> Int64? {
    guard text.hasSuffix(suffix) else { return nil }
    let digits = text.dropLast(suffix.count).suffix(digitCount)
    guard digits.count == digitCount, let number = Int64(digits), number > 0 else { return nil }
    return number
  }

  /// The text of the name. The texts have the same order as the positions.
  var text: String {
    let digits = "\(position)"
    let zeros = String(repeating: "0", count: max(0, Self.digitCount - digits.count))
    return "\(database)-\(zeros)\(digits)\(Self.suffix)"
  }

  /// The name of the file that asks for a snapshot which contains an entry.
  static func request(of database: DatabaseID, _ position: LogPosition) -> String {
    "\(database)-wanted-\(position)"
  }

  /// Whether a text is such a name.
  static func isRequest(_ text: String, of database: DatabaseID) -> Bool {
    text.hasPrefix("\(database)-wanted-")
  }

  /// Whether a text names the same snapshot as another text, or an earlier snapshot of its
  /// database.
  static func isUp(to name: String, _ text: String) -> Bool {
    let count = digitCount + suffix.count
    return text.count == name.count && text.dropLast(count) == name.dropLast(count) && text <= name
  }
}
