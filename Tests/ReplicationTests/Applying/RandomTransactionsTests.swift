import Recording
import Storage
import Testing
import TestSupport

@testable import Replication

/// Random schemas and transactions, recorded and repeated; and hostile bytes.
@Suite struct RandomTransactionsTests {
  private static let schema = """
    CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT, x UNIQUE, y, s AS (y || 1) STORED);
    CREATE TABLE b (x, y, v AS (x || y), UNIQUE (x) ON CONFLICT REPLACE);
    CREATE TABLE c (x, y REAL, z INT, PRIMARY KEY (z, x)) WITHOUT ROWID;
    CREATE TABLE p (id INTEGER PRIMARY KEY, x REFERENCES p ON DELETE CASCADE, y);
    CREATE TRIGGER ta AFTER INSERT ON a BEGIN INSERT INTO b VALUES (new.x, new.id); END;
    CREATE TRIGGER tb AFTER DELETE ON b BEGIN UPDATE c SET y = y + 1 WHERE z < 2; END;
    """

  private static func value(_ random: inout SeededGenerator) -> String {
    switch random.number(below: 7) {
    case 0: "NULL"
    case 1: "\(random.number(below: 9))"
    case 2: "-\(random.number(below: 90)).5"
    case 3: "'t\(random.number(below: 9))'"
    case 4: "x'0\(random.number(below: 9))ff'"
    default: "\(random.number(below: 5))"
    }
  }

  private static func statement(_ random: inout SeededGenerator, _ number: Int) -> String {
    func any(_ list: String...) -> String { list[random.number(below: list.count)] }
    let table = any("a", "b", "c", "p", "n")
    let conflict = any("", "", "OR REPLACE", "OR IGNORE", "OR FAIL", "OR ROLLBACK")
    let (v, w, k) = (value(&random), value(&random), random.number(below: 6))
    switch random.number(below: 16) {
    case 0...4:
      let key = table == "c" ? "z, " : ""
      let first = table == "c" ? "\(k), " : ""
      return "INSERT \(conflict) INTO \(table) (\(key)x, y) VALUES (\(first)\(v), \(w)), "
        + "(\(first)\(w), \(v))"
    case 5...7: return "UPDATE \(conflict) \(table) SET y = \(v) WHERE x >= \(w)"
    case 8: return "UPDATE \(conflict) \(table) SET x = \(v), y = \(w) WHERE y < \(k)"
    case 9: return "DELETE FROM \(table) WHERE x IS \(v) OR y < \(k)"
    case 10: return "SAVEPOINT s\(k % 3)"
    case 11: return "ROLLBACK TO s\(k % 3)"
    case 12: return "RELEASE s\(k % 3)"
    case 13:
      return any("CREATE TABLE n (x, y)", "DROP TABLE n", "ALTER TABLE n ADD COLUMN q DEFAULT 3")
    case 14:
      return any(
        "CREATE TABLE r\(number) AS SELECT x, y FROM b",
        "ANALYZE",
        "CREATE INDEX i ON n (y)"
      )
    default:
      return any(
        "UPDATE b SET rowid = rowid + 1000 WHERE rowid = \(k)",
        "PRAGMA user_version = \(k)",
        "UPDATE OR FAIL p SET id = id + 1",
        "ALTER TABLE n RENAME TO n\(number)",
        "UPDATE c SET z = z + 1 WHERE z = \(k)"
      )
    }
  }

  @Test(arguments: Soak.seeds(200, inSuite: 8))
  func `random transactions give an equal copy`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pair = try RecordedPair(Self.schema)
    var log: [String] = []
    for number in 0..<30 {
      var statements: [String] = []
      for _ in 0..<(1 + random.number(below: 12)) {
        statements.append(Self.statement(&random, number))
      }
      let ending = random.number(below: 5) == 0 ? "ROLLBACK" : "COMMIT"
      let isPlain = random.number(below: 4) == 0
      try pair.primary.writeWithoutTransaction { db in
        let all = isPlain ? statements : ["BEGIN"] + statements
        for sql in all { try? db.execute(sql: sql) }
        if db.isInsideTransaction { try db.execute(sql: ending) }
      }
      log = statements
      do {
        try pair.repeatAll()
      } catch {
        Issue.record("\(error) after \(log)")
        return
      }
      let contents = try [pair.primary, pair.replica].map { try $0.read(DatabaseContent.init) }
      let differences = contents[0].differences(from: contents[1])
      #expect(differences == [], "after \(log), plain: \(isPlain)")
      guard differences.isEmpty else { return }
    }
    #expect(pair.transactions.count > 5)
  }

  @Test func `hostile bytes throw, and are never a trap`() throws {
    let pair = try RecordedPair(Self.schema)
    try pair.run(
      """
      BEGIN; INSERT INTO a (x, y) VALUES (1, 'text'), (2.5, x'00'); UPDATE a SET y = NULL;
      INSERT INTO c VALUES ('k', 1, 2); DELETE FROM c; CREATE TABLE n (x); PRAGMA user_version = 1;
      UPDATE b SET rowid = 77 WHERE rowid = 1; COMMIT
      """
    )
    let bytes = pair.transactions[0].encoded()
    #expect(try RecordedTransaction(decoding: bytes) == pair.transactions[0])
    for count in bytes.indices { _ = try? RecordedTransaction(decoding: Array(bytes[..<count])) }
    var random = SeededGenerator(seed: 7)
    for _ in 0..<50_000 {
      var damaged = bytes
      for _ in 0...random.number(below: 3) {
        damaged[random.number(below: damaged.count)] = UInt8(truncatingIfNeeded: random.next())
      }
      if let transaction = try? RecordedTransaction(decoding: damaged) { _ = transaction.items }
    }
    for byte in UInt8.min...UInt8.max {
      _ = try? RecordedTransaction(decoding: [1, byte] + Array(repeating: 0xFF, count: 40))
    }
    #expect(throws: RecordingError.self) { try RecordedTransaction(decoding: []) }
    #expect(throws: RecordingError.unknownFormat(2)) { try RecordedTransaction(decoding: [2]) }
  }
}
