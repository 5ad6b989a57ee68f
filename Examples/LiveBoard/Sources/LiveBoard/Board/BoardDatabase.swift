import Sharing

/// The database of the board. Several processes may write to its file.
public struct BoardDatabase: Sendable {
  /// A write that the board refuses, with the status of the answer.
  public struct Refusal: Error, Equatable {
    let status: Int
    let message: String
  }

  /// The file, with the connections to it.
  public let pool: DatabasePool

  static let titleLimit = 80
  static let itemLimit = 1000

  /// Opens the file, and creates the tables if they are missing.
  ///
  /// - Throws: `DatabaseError`.
  public init(path: String) throws {
    pool = try DatabasePool(path: path)
    try pool.write { db in try db.execute(sql: Self.schema) }
  }

  /// Stores an item, whose title must be a line of some characters.
  public func add(title: String) async throws {
    let title = title.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !title.isEmpty else { throw Refusal(status: 400, message: "Please write something.") }
    guard title.count <= Self.titleLimit, title.utf8.count <= Self.titleLimit * 8 else {
      throw Refusal(status: 400, message: "\(Self.titleLimit) characters are enough.")
    }
    guard !title.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { throw Refusal(status: 400, message: "There is a control character in it.") }
    try await pool.write { db in
      guard try Item.fetchCount(db) < Self.itemLimit else {
        throw Refusal(status: 409, message: "The board is full.")
      }
      try db.execute(literal: "INSERT INTO item (title) VALUES (\(title))")
    }
  }

  /// Adds a vote, or takes one away.
  public func vote(by number: Int, for id: Int64) async throws {
    guard abs(number) == 1 else { throw Refusal(status: 400, message: "One vote at a time.") }
    try await change(
      "UPDATE item SET votes = votes + \(number) WHERE id = \(id)"
    )
  }

  /// Removes an item.
  public func remove(_ id: Int64) async throws {
    try await change("DELETE FROM item WHERE id = \(id)")
  }

  private func change(_ literal: SQL) async throws {
    try await pool.write { db in
      try db.execute(literal: literal)
      guard db.changesCount > 0 else {
        throw Refusal(status: 404, message: "This idea has been removed.")
      }
    }
  }

  /// The triggers note what any process does, and keep the last hundred notes.
  private static let schema = """
    CREATE TABLE IF NOT EXISTS item (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      title TEXT NOT NULL,
      votes INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX IF NOT EXISTS item_on_votes ON item (votes DESC, id);
    CREATE TABLE IF NOT EXISTS activity (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      time TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
      kind TEXT NOT NULL,
      title TEXT NOT NULL
    );
    CREATE TRIGGER IF NOT EXISTS item_inserted AFTER INSERT ON item BEGIN
      INSERT INTO activity (kind, title) VALUES ('proposed', new.title);
    END;
    CREATE TRIGGER IF NOT EXISTS item_voted AFTER UPDATE OF votes ON item
    WHEN new.votes <> old.votes BEGIN
      INSERT INTO activity (kind, title)
      VALUES (iif(new.votes > old.votes, 'voted for', 'voted against'), new.title);
    END;
    CREATE TRIGGER IF NOT EXISTS item_renamed AFTER UPDATE OF title ON item
    WHEN new.title <> old.title BEGIN
      INSERT INTO activity (kind, title) VALUES ('renamed', new.title);
    END;
    CREATE TRIGGER IF NOT EXISTS item_deleted AFTER DELETE ON item BEGIN
      INSERT INTO activity (kind, title) VALUES ('removed', old.title);
    END;
    CREATE TRIGGER IF NOT EXISTS activity_inserted AFTER INSERT ON activity BEGIN
      DELETE FROM activity WHERE id <= new.id - 100;
    END;
    """
}
