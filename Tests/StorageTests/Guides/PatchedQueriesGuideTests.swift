import Foundation
import Testing

@testable import Storage

/// Checks the SQL of the guide on patched queries: each statement that it shows is patched.
@Suite struct PatchedQueriesGuideTests {
  private func statements() throws -> [String] {
    let directory = URL(filePath: #filePath).deletingLastPathComponent()
    let url = directory.appending(path: "../../../Docs/Storage.docc/PatchedQueries.md")
    return try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n```sql\n")
      .dropFirst()
      .flatMap { $0.components(separatedBy: "\n```")[0].split(separator: "\n").map(String.init) }
  }

  @Test func `each statement that the guide shows is patched`() throws {
    let statements = try statements()
    #expect(statements.count >= 18)
    try DatabaseQueue().write { db in
      try db.execute(
        sql: """
          CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, note TEXT, price REAL);
          CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
          CREATE TABLE product (code TEXT UNIQUE, name TEXT, price REAL);
          CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT);
          CREATE TABLE player (id INTEGER PRIMARY KEY, teamId INTEGER, score INTEGER);
          CREATE INDEX playerOnTeam ON player (teamId);
          CREATE TABLE sale (
            id INTEGER PRIMARY KEY, date TEXT, customerId INTEGER, product TEXT, amount INTEGER,
            isPaid INTEGER
          );
          CREATE TABLE message (id INTEGER PRIMARY KEY, date TEXT, body TEXT, isRead INTEGER);
          CREATE VIEW saleLine AS
            SELECT sale.*, customer.name, city FROM sale JOIN customer ON customer.id = customerId;
          """
      )
      for sql in statements {
        let statement = try db.makeStatement(sql: sql)
        if statement.parameterCount > 0 { try statement.setArguments([10]) }
        #expect(try statement.patchObstacle() == nil, "\(sql)")
      }
    }
  }
}
