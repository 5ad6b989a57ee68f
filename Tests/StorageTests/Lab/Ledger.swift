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

  /// Checks that a database is intact.
  static func checkIntegrity(_ reader: some DatabaseReader) throws {
    let report = try reader.read { db in
      try String.fetchAll(db, sql: "PRAGMA integrity_check").joined(separator: "; ")
    }
    guard report == "ok" else { throw Damage("integrity_check: \(report)") }
  }

  /// Checks that a database holds everything that was acknowledged, and nothing that was not even
  /// attempted.
  static func check(
    _ reader: some DatabaseReader,
    acknowledged: Set<Int>,
    attempted: Set<Int>
  ) throws {
    let numbers = try reader.read { db in try Ledger.numbers(db) }
    let lost = acknowledged.subtracting(numbers)
    guard lost.isEmpty else { throw Damage("lost \(lost.sorted())") }
    let foreign = numbers.subtracting(attempted)
    guard foreign.isEmpty else { throw Damage("unknown \(foreign.sorted())") }
  }

  /// The damage that the lab finds.
  struct Damage: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }
}
