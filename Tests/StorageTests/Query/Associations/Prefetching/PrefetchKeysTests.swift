import Foundation
import Storage
import TestSupport
import Testing
import WellspringSystem

@testable import StorageTestSupport

@Suite struct PrefetchKeysTests {
  private struct Parent: Codable, FetchableRecord, TableRecord {
    static let children = hasMany(Child.self)
    var id: String
  }
  private struct Child: Codable, FetchableRecord, TableRecord {
    var id: Int64
  }

  /// Returns the ids of the children of each parent, as `including(all:)` and as a join find them.
  private func families(
    parent: String,
    child: String,
    parents: [any DatabaseValueConvertible],
    children: [(any DatabaseValueConvertible)?]
  ) throws -> (included: [[Int64]], joined: [[Int64]]) {
    let queue = try DatabaseQueue()
    return try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          PRAGMA foreign_keys = OFF;
          CREATE TABLE parent (id \(parent) PRIMARY KEY);
          CREATE TABLE child (id INTEGER PRIMARY KEY, parentID \(child) REFERENCES parent(id));
          """
      )
      for key in parents {
        try db.execute(sql: "INSERT INTO parent VALUES (?)", arguments: [key])
      }
      for key in children {
        try db.execute(sql: "INSERT INTO child (parentID) VALUES (?)", arguments: [key])
      }
      let rows = try Row.fetchAll(
        db,
        Parent.order(Column.rowID).including(all: Parent.children.order(Column("id")))
      )
      let included = rows.map { $0.prefetchedRows["children"]!.map { $0["id"] as Int64 } }
      let joined = try Int64.fetchAll(db, sql: "SELECT rowid FROM parent ORDER BY rowid").map {
        try Int64.fetchAll(
          db,
          sql: """
            SELECT child.id FROM parent JOIN child ON child.parentID = parent.id
            WHERE parent.rowid = ? ORDER BY child.id
            """,
          arguments: [$0]
        )
      }
      return (included, joined)
    }
  }

  @Test func `keys of all types are found as in a join`() throws {
    let cases:
      [(String, String, [any DatabaseValueConvertible], [(any DatabaseValueConvertible)?])] =
        [
          ("INTEGER", "INTEGER", [1, 2, 3], [1, 1, 3, nil]),
          ("TEXT", "TEXT", ["a", "b", "ä", "it's"], ["a", "ä", "it's", "A", nil]),
          ("TEXT", "TEXT", ["\u{E9}", "e\u{301}"], ["\u{E9}", "e\u{301}", "\u{E9}"]),
          ("REAL", "INTEGER", [1.0, 2.5, 3.0], [1, 3, 2]),
          ("INTEGER", "REAL", [1, 2], [1.0, 2.0, 1.5]),
          ("BLOB", "BLOB", [Data([0, 1]), Data([2])], [Data([2]), Data([0, 1]), "a"]),
          ("TEXT", "INTEGER", ["1", "2", "x"], [1, 2, "x"]),
          ("INTEGER", "TEXT", [1, 2], ["1", "2", "3"]),
          ("TEXT", "TEXT COLLATE NOCASE", ["a", "A", "b"], ["a", "A", "B"]),
          ("TEXT", "TEXT COLLATE RTRIM", ["a", "b"], ["a  ", "b", "c "]),
          ("TEXT COLLATE NOCASE", "TEXT", ["a", "b"], ["A", "b"]),
          ("TEXT", "TEXT COLLATE RTRIM", ["\u{600} ", "a"], ["\u{600}", "\u{600}  ", "a"]),
          (
            "TEXT COLLATE swiftCaseInsensitiveCompare", "TEXT COLLATE swiftCaseInsensitiveCompare",
            ["fr", "it", "É", "de"], ["FR", "It", "DE", "fr", "é", "x", nil]
          ),
          (
            "TEXT", "TEXT COLLATE swiftCompare", ["\u{E9}", "a"], ["e\u{301}", "\u{E9}", "a", "A"]
          ),
          (
            "TEXT", "TEXT COLLATE swiftCaseInsensitiveCompare", ["fr", "FR", "it", "Fr"],
            ["fR", "IT"]
          ),
          ("TEXT", "INTEGER", [" 1", "02", "3.0", "4e0", "x"], [1, 2, 3, 4, "x"]),
          ("TEXT", "REAL", ["0.10", "2"], [0.1, 2]),
          ("", "", [1, "1", 2.0, Data([1])], [1, "1", 2, 2.0, Data([1])]),
        ]
    for (parent, child, parents, children) in cases {
      let found = try families(parent: parent, child: child, parents: parents, children: children)
      #expect(found.included == found.joined, "parent \(parent), child \(child)")
    }
  }

  @Test(arguments: [99, 100, 101, 129, 3000, 40_000])
  func `many keys are found by one statement`(_ count: Int) throws {
    let integers = Array(1...count)
    let found = try families(
      parent: "INTEGER",
      child: "INTEGER",
      parents: integers,
      children: [1, count, count]
    )
    #expect(found.included[0] == [1])
    #expect(found.included[count - 1] == [2, 3])
    #expect(found.included.joined().count == 3)
    let names = integers.map { "name'\($0)" }
    let named = try families(
      parent: "TEXT",
      child: "TEXT",
      parents: names,
      children: [names[0], names[count - 1], "none"]
    )
    #expect(named.included[0] == [1])
    #expect(named.included[count - 1] == [2])
  }

  /// The ids of the children of each parent, of a parent table and a view of children.
  private func familiesOfView(_ view: String, _ db: Database) throws -> [[Int64]] {
    try db.execute(sql: "CREATE TEMP VIEW kid AS \(view)")
    let kids = Parent.hasMany(
      Table("kid"),
      key: "kids",
      using: ForeignKey(["parentID"], to: ["id"])
    )
    let rows = try Row.fetchAll(
      db,
      Parent.order(Column.rowID).including(all: kids.order(Column("id")))
    )
    return rows.map { $0.prefetchedRows["kids"]!.map { $0["id"] as Int64 } }
  }

  @Test(
    arguments: [
      ("SELECT * FROM child", "NOCASE", [[1, 2], [3]]),
      ("SELECT * FROM child", "swiftCaseInsensitiveCompare", [[1, 2], [3]]),
      ("SELECT * FROM child", "swiftLocalizedCompare", [[1], []]),
      ("SELECT * FROM child", "BINARY", [[1], []]),
      ("SELECT id, parentID || '' AS parentID FROM child", "NOCASE", [[1], []]),
      (
        "SELECT id, max(parentID) AS parentID FROM child WHERE parentID <> 'x' GROUP BY id",
        "NOCASE", [[1], []]
      ),
      ("SELECT id, parentID COLLATE NOCASE AS parentID FROM child", "BINARY", [[1, 2], [3]]),
      (
        "SELECT id, parentID FROM child WHERE parentID <> 'x' UNION ALL SELECT 9, 'FR'", "NOCASE",
        [[1, 2, 9], [3]]
      ),
    ] as [(String, String, [[Int64]])]
  )
  func `rows of a view are found by the collation of its column`(
    view: String,
    collation: String,
    expected: [[Int64]]
  ) throws {
    try withDatabase { db in
      try db.execute(
        sql: """
          CREATE TABLE parent (id TEXT PRIMARY KEY);
          CREATE TABLE child (id INTEGER PRIMARY KEY, parentID TEXT COLLATE \(collation));
          INSERT INTO parent VALUES ('fr'), ('it');
          INSERT INTO child VALUES (1, 'fr'), (2, 'FR'), (3, 'It'), (4, 'x');
          """
      )
      #expect(try familiesOfView(view, db) == expected)
    }
  }

  @Test func `a collation of a view whose name is cut short must be the only one of its kind`()
    throws
  {
    try withDatabase { db in
      for suffix in ["A", "B"] {
        db.add(
          collation: DatabaseCollation("aCollationWithALongName\(suffix)") { _, _ in .orderedSame }
        )
      }
      try db.execute(
        sql: """
          CREATE TABLE parent (id TEXT PRIMARY KEY);
          CREATE TABLE child (id INTEGER, parentID TEXT COLLATE aCollationWithALongNameA);
          INSERT INTO parent VALUES ('fr');
          """
      )
      expectDatabaseError(
        .SQLITE_MISUSE,
        """
        the column parentID of kid compares texts by a collation that cannot be told from others: \
        aCollationWithALongNameA, aCollationWithALongNameB
        """
      ) {
        _ = try familiesOfView("SELECT * FROM child", db)
      }
    }
  }

  @Test func `rows of loaded records are found by any collation`() throws {
    struct Country: Codable, Hashable, TableRecord, FetchableRecord, EncodableRecord {
      static let cities = hasMany(City.self, using: ForeignKey(["country"], to: ["code"]))
      var code: String
    }
    struct City: Codable, Hashable, TableRecord, FetchableRecord {
      var name: String
    }
    try withDatabase { db in
      try db.create(table: "country") { t in
        t.primaryKey("code", .text).collate(.caseInsensitiveCompare)
      }
      try db.create(table: "city") { t in
        t.column("name", .text)
        t.column("country", .text).collate(.caseInsensitiveCompare)
      }
      try db.execute(
        sql: "INSERT INTO country VALUES ('fr'); INSERT INTO city VALUES ('Lyon', 'FR')"
      )
      let cities = try Country.cities.fetchAll(db, for: Country.fetchAll(db))
      #expect(cities == [Country(code: "fr"): [City(name: "Lyon")]])
    }
  }

  @Test func `a row whose key is not found is an error`() throws {
    try withDatabase { db in
      // SQLite finds the row by the first comparison.
      let count = Lock(0)
      db.add(
        collation: DatabaseCollation("changing") { _, _ in
          count.withLock {
            $0 += 1
            return $0 == 1 ? .orderedSame : .orderedAscending
          }
        }
      )
      try db.execute(
        sql: """
          CREATE TABLE parent (id TEXT PRIMARY KEY);
          CREATE TABLE child (
            id INTEGER PRIMARY KEY, parentID TEXT COLLATE changing REFERENCES parent(id));
          INSERT INTO parent VALUES ('fr');
          PRAGMA foreign_keys = OFF;
          INSERT INTO child VALUES (1, 'it');
          """
      )
      let request = Parent.including(all: Parent.children)
      let error = #expect(throws: DatabaseError.self) {
        try Row.fetchAll(db, request).map { $0.copy() }
      }
      #expect(error?.resultCode == .SQLITE_MISUSE)
    }
  }
}
