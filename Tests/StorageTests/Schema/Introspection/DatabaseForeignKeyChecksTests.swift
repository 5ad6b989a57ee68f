import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

@Suite struct DatabaseForeignKeyChecksTests {
  @Test func `A-064: rows that refer to missing rows are reported`() throws {
    try withParents { db in
      try db.execute(
        sql: """
          CREATE TABLE player (id INTEGER PRIMARY KEY, teamId INTEGER REFERENCES team(id));
          CREATE TABLE pair (c TEXT, d INTEGER, FOREIGN KEY (c, d) REFERENCES parents(c, d));
          CREATE TABLE plain (k TEXT PRIMARY KEY, t REFERENCES team(id)) WITHOUT ROWID;
          """
      )
      try db.checkForeignKeys()
      try db.execute(
        sql: """
          PRAGMA foreign_keys = OFF;
          INSERT INTO player VALUES (3, 7), (4, NULL);
          INSERT INTO pair VALUES ('x', 1);
          INSERT INTO plain VALUES ('a', 9);
          """
      )
      let violations = try db.foreignKeyViolations().map(\.description).sorted()
      #expect(
        violations == [
          "pair(c, d): row 1 refers to parents(c, d) = ('x', 1), which does not exist",
          "plain(t): a row refers to team(id), which does not exist",
          "player(teamId): row 3 refers to team(id) = 7, which does not exist",
        ]
      )
      try #expect(db.foreignKeyViolations(in: "player").map(\.originRowID) == [3])
      try #expect(db.foreignKeyViolations(limit: 2).count == 2)
      expectDatabaseError(
        .SQLITE_CONSTRAINT_FOREIGNKEY,
        """
        FOREIGN KEY constraint failed: player(teamId): row 3 refers to team(id) = 7, which does not exist
        """
      ) {
        try db.checkForeignKeys(in: "PLAYER")
      }
      expectDatabaseError(.SQLITE_ERROR, "no such table: nothing") {
        try db.checkForeignKeys(in: "nothing")
      }
      try db.execute(sql: "DELETE FROM player; DELETE FROM pair; DELETE FROM plain")
      try db.checkForeignKeys()
    }
  }

  @Test func `a violation describes its whole row on request`() throws {
    let directory = TemporaryDirectory()
    try withParents { db in
      try db.attach(directory.file(), as: "other")
      try db.execute(
        sql: """
          PRAGMA foreign_keys = OFF;
          CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT, teamId INTEGER REFERENCES team);
          INSERT INTO player VALUES (3, 'Zoe', 7);
          CREATE TABLE other.player (name TEXT, teamId INTEGER REFERENCES team(id));
          CREATE TABLE other.team (id INTEGER PRIMARY KEY);
          INSERT INTO other.player VALUES ('Ann', 9);
          """
      )
      let violation = try #require(db.foreignKeyViolations(in: "player").first)
      try #expect(
        violation.failureDescription(db) == """
          player(teamId): row 3 refers to team(id) = 7, which does not exist, in \
          [id:3 name:'Zoe' teamId:7]
          """
      )
      let other = try db.foreignKeyViolations(in: "player", in: "other")
      try #expect(
        other.map { try $0.failureDescription(db) } == [
          """
          player(teamId): row 1 refers to team(id) = 9, which does not exist, in \
          [name:'Ann' teamId:9]
          """
        ]
      )
      try #expect(db.foreignKeyViolations(in: nil, in: "other").map(\.originRowID) == [1])
    }
  }
}
