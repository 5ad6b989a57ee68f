import Foundation
import Storage
import Testing

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
}
