import CWellspringSQLite
import TestSupport

/// A connection outside of the library, which changes the pages of a file in many ways.
final class RandomPageWriter {
  /// The tables with the queries that read their rows: a number, and everything else as text.
  static let tables = [
    "a": "SELECT id, v, hex(b) FROM a", "b": "SELECT rowid, x, hex(y) FROM b",
    "big": "SELECT id, hex(b) FROM big",
    "w": "SELECT 0, group_concat(quote(k) || quote(v)) FROM (SELECT * FROM w ORDER BY k)",
  ]

  private let connection: OpaquePointer
  private let hasLargeSectors: Bool

  /// Opens a file. With `hasLargeSectors`, SQLite writes whole sectors, and pads commits to them.
  init(path: String, hasLargeSectors: Bool = false) throws {
    self.hasLargeSectors = hasLargeSectors
    var connection: OpaquePointer?
    let uri = "file:\(path)?psow=\(hasLargeSectors ? 0 : 1)"
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI
    guard sqlite3_open_v2(uri, &connection, flags, nil) == SQLITE_OK, let connection else {
      throw ReferenceConnection.Failure(message: "cannot open \(path)")
    }
    self.connection = connection
    sqlite3_busy_timeout(connection, 5000)
  }

  deinit { sqlite3_close(connection) }

  /// Runs statements, which may fail.
  func run(_ sql: String) { sqlite3_exec(connection, sql, nil, nil, nil) }

  /// Makes the tables in a new file.
  func makeTables(_ random: inout SeededGenerator) {
    let size = random.pick(from: [512, 512, 1024, 4096])
    run("PRAGMA page_size = \(size); PRAGMA journal_mode = WAL")
    run(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, v, b); CREATE INDEX ai ON a (v);
      CREATE TABLE b (x, y); CREATE TABLE w (k PRIMARY KEY, v) WITHOUT ROWID;
      CREATE TABLE big (id INTEGER PRIMARY KEY, b BLOB); CREATE TABLE other (n)
      """
    )
  }

  /// Chooses how the connection writes from now on.
  func configure(_ random: inout SeededGenerator) {
    run("PRAGMA synchronous = \(hasLargeSectors ? "FULL" : "OFF")")
    run("PRAGMA wal_autocheckpoint = \(random.pick(from: [0, 10, 1000]))")
    run("PRAGMA secure_delete = \(random.number(below: 2))")
    run("PRAGMA cache_size = \(random.pick(from: [10, 2000]))")
  }

  /// Returns the rows of a table.
  func rows(_ table: String) -> [Int64: String] {
    var statement: OpaquePointer?
    sqlite3_prepare_v2(connection, Self.tables[table], -1, &statement, nil)
    defer { sqlite3_finalize(statement) }
    var rows: [Int64: String] = [:]
    while sqlite3_step(statement) == SQLITE_ROW {
      rows[sqlite3_column_int64(statement, 0)] = (1..<sqlite3_column_count(statement))
        .map { sqlite3_column_text(statement, $0).map { String(cString: $0) } ?? "NULL" }
        .joined(separator: "|")
    }
    return rows
  }

  /// Writes a random transaction, or makes a checkpoint.
  ///
  /// - Returns: A description of it.
  func write(_ random: inout SeededGenerator) -> String {
    if random.chance(6) {
      let kind = random.pick("PASSIVE", "TRUNCATE", "RESTART", "FULL")
      run("PRAGMA wal_checkpoint(\(kind))")
      return "checkpoint \(kind)"
    }
    var steps = ["BEGIN IMMEDIATE"]
    for _ in 0..<(random.chance(25) ? random.number(in: 1..<6) : 1) {
      if random.chance(12) {
        let end = random.pick("ROLLBACK TO s; RELEASE s", "RELEASE s")
        steps += ["SAVEPOINT s", Self.statement(&random), end]
      } else {
        steps.append(Self.statement(&random))
      }
    }
    steps.append(random.chance(10) ? "ROLLBACK" : "COMMIT")
    for step in steps { run(step) }
    return steps.joined(separator: "; ")
  }

  private static func blob(_ random: inout SeededGenerator) -> String {
    let range = random.pick(weighted: [0..<40: 6, 40..<600: 2, 600..<3000: 1, 3000..<9000: 1])
    return "randomblob(\(random.number(in: range)))"
  }

  /// A statement that may fail.
  static func statement(_ random: inout SeededGenerator) -> String {
    let id = random.number(in: -5..<400)
    let value = random.number(below: 50)
    let blob = blob(&random)
    switch random.number(below: 24) {
    case 0...2: return "INSERT INTO a (v, b) VALUES (\(value), \(blob))"
    case 3: return "INSERT OR REPLACE INTO a VALUES (\(id), \(value), \(blob))"
    case 4, 5: return "UPDATE a SET v = \(value) WHERE id = \(id)"
    case 6: return "UPDATE a SET b = \(blob) WHERE id = \(id)"
    case 7:
      return """
        UPDATE a SET b = randomblob(length(b)) WHERE id =
        (SELECT id FROM a WHERE length(b) > 600 LIMIT 1 OFFSET \(value % 5))
        """
    case 8: return "DELETE FROM a WHERE id = \(id)"
    case 9: return "DELETE FROM a WHERE id BETWEEN \(id) AND \(id + value)"
    case 10: return "UPDATE OR IGNORE a SET id = id + \(value * 6 + 1) WHERE id = \(id)"
    case 11:
      return """
        INSERT INTO a (v, b) WITH RECURSIVE c (i) AS
        (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < \(value * 4)) SELECT i, \(blob) FROM c
        """
    case 12, 13: return "INSERT INTO b VALUES (\(id), \(blob))"
    case 14: return "UPDATE b SET x = x + 1 WHERE rowid = \(id)"
    case 15: return "DELETE FROM b WHERE rowid % 3 = \(value % 3)"
    case 16: return value < 8 ? "DELETE FROM b" : "UPDATE b SET x = x WHERE rowid = \(id)"
    case 17: return "INSERT OR REPLACE INTO w VALUES (\(id), \(blob))"
    case 18:
      return """
        UPDATE w SET v = randomblob(length(v)) WHERE k =
        (SELECT k FROM w WHERE length(v) > 600 LIMIT 1)
        """
    case 19: return "DELETE FROM w WHERE k > \(id)"
    case 20: return "INSERT INTO big (b) VALUES (randomblob(\(1000 + value * 800)))"
    case 21:
      return """
        UPDATE big SET b = substr(b, 1, \(1 + value * 17)) || randomblob(1) || substr(b, \(901 + id))
        WHERE id = \(1 + value % 8)
        """
    case 22:
      return """
        UPDATE big SET b = CAST(substr(b, 1, length(b) - 1) || x'41' AS BLOB)
        WHERE id = \(1 + value % 8)
        """
    default:
      return value < 3
        ? "DELETE FROM big; DELETE FROM a WHERE id % 2" : "DELETE FROM big WHERE id = \(value % 20)"
    }
  }
}
