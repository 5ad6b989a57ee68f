import Storage

/// A table in which each transaction leaves a number of complete entries, so that a lost or halved
/// transaction is noticed.
enum Ledger {
  static let schema = """
    CREATE TABLE ledger (number INTEGER, part INTEGER, payload BLOB, PRIMARY KEY (number, part));
    CREATE INDEX ledgerOnPart ON ledger (part, number);
    """
  /// The parts of an entry. Their payloads take several pages.
  static let parts = 6

  /// Adds an entry, in the transaction of the caller.
  static func add(_ number: Int, to db: Database) throws {
    for part in 0..<parts {
      try db.execute(
        sql: "INSERT INTO ledger VALUES (?, ?, ?)",
        arguments: [number, part, payload(number, part)]
      )
    }
  }

  private static func payload(_ number: Int, _ part: Int) -> DatabaseValue {
    String(repeating: "\(number):\(part) ", count: 160).databaseValue
  }

  /// Returns the numbers of the entries, all of which must be complete.
  static func numbers(_ db: Database) throws -> Set<Int> {
    var parts: [Int: Set<Int>] = [:]
    let rows = try Row.fetchCursor(db, sql: "SELECT number, part, payload FROM ledger")
    while let row = try rows.next() {
      let number: Int = row[0]
      let part: Int = row[1]
      let value: DatabaseValue = row[2]
      guard value == payload(number, part) else { throw Damage("payload of \(number):\(part)") }
      parts[number, default: []].insert(part)
    }
    for (number, parts) in parts where parts.count != Ledger.parts {
      throw Damage("\(number) has \(parts.count) of \(Ledger.parts) parts")
    }
    return Set(parts.keys)
  }

  /// What the lab finds broken.
  struct Damage: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }
}
