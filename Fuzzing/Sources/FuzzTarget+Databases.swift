import Foundation
import Storage

extension FuzzTarget {
  /// A database in memory with tables, whose writes are undone after each input.
  struct Memory: Sendable {
    private let queue: DatabaseQueue

    init() {
      do {
        var configuration = Configuration()
        configuration.statementTimeout = .seconds(2)
        configuration.trustsFile = false
        configuration.limits.length = 1_000_000
        queue = try DatabaseQueue(configuration: configuration)
        try queue.write { db in
          try db.execute(
            sql: """
              CREATE TABLE customer (id INTEGER PRIMARY KEY, address TEXT);
              CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT UNIQUE, price REAL);
              INSERT INTO item VALUES (1, 'cup', 4), (2, 'pot', NULL);
              CREATE VIRTUAL TABLE page5 USING fts5(title, text);
              CREATE VIRTUAL TABLE page4 USING fts4(title, text);
              INSERT INTO page5 VALUES ('tea', 'a warm cup of tea');
              INSERT INTO page4 VALUES ('tea', 'a warm cup of tea');
              """
          )
        }
      } catch {
        fatalError("\(error)")
      }
    }

    /// Runs `body`, which may fail, and undoes its writes.
    func attempt(_ body: (Database) throws -> Void) {
      try? queue.writeWithoutTransaction { db in
        try db.inTransaction {
          try? body(db)
          return .rollback
        }
      }
    }
  }

  static let memory = Memory()

  /// Patterns of full-text search: text that users type is never more than words.
  static let patterns = FuzzTarget(name: "patterns") { data in
    let text = String(decoding: data, as: UTF8.self)
    let patterns5 = [
      FTS5Pattern(matchingAnyTokenIn: text), FTS5Pattern(matchingAllTokensIn: text),
      FTS5Pattern(matchingAllPrefixesIn: text), FTS5Pattern(matchingPhrase: text),
      FTS5Pattern(matchingPrefixPhrase: text),
    ]
    let patterns4 = [
      FTS3Pattern(matchingAnyTokenIn: text), FTS3Pattern(matchingAllTokensIn: text),
      FTS3Pattern(matchingAllPrefixesIn: text), FTS3Pattern(matchingPhrase: text),
    ]
    memory.attempt { db in
      for pattern in patterns5 {
        search(db, "SELECT count(*) FROM page5 WHERE page5 MATCH ?", pattern, text)
      }
      for pattern in patterns4 {
        search(db, "SELECT count(*) FROM page4 WHERE page4 MATCH ?", pattern, text)
      }
      _ = try? FTS5Pattern(rawPattern: text, allowedColumns: ["title", "text"])
      _ = try? FTS3Pattern(rawPattern: text)
    }
  }

  private static func search(
    _ db: Database,
    _ sql: String,
    _ pattern: (any DatabaseValueConvertible)?,
    _ text: String
  ) {
    guard let pattern else { return }
    do {
      _ = try Int.fetchOne(db, sql: sql, arguments: [pattern])
    } catch {
      fatalError("\(error) for the text \(text.debugDescription)")
    }
  }

  /// Changesets: they are applied as a whole, or not at all.
  static let changesets = FuzzTarget(name: "changesets") { data in
    let changeset = Changeset(data: data)
    _ = try? changeset.operations()
    _ = try? changeset.inverted()
    _ = try? changeset.concatenated(with: changeset)
    memory.attempt { db in
      let sql = "SELECT id || coalesce(name, '') || coalesce(price, '') FROM item"
      let before = try String.fetchAll(db, sql: sql)
      do {
        try db.apply(changeset: changeset)
      } catch {
        let after = try String.fetchAll(db, sql: sql)
        precondition(after == before, "a half changeset is there")
      }
    }
  }

  /// Several statements in one text: the cursor reaches the end, or an error, in finite time.
  static let statements = FuzzTarget(name: "statements") { data in
    let text = String(decoding: data, as: UTF8.self)
    memory.attempt { db in
      let cursor = try db.allStatements(sql: text)
      var count = 0
      while let statement = try cursor.next() {
        count += 1
        precondition(count <= text.utf8.count + 1, "statements without end")
        precondition(text.utf8.count >= statement.sql.utf8.count, "a statement that is not there")
        if statement.isReadonly, !statement.sql.lowercased().contains("pragma") {
          try? statement.execute()
        }
      }
    }
  }
}
