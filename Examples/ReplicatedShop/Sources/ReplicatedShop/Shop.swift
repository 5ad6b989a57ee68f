import Replication
import Sharing

/// What all nodes do with the database: the same code runs on the primary and on the replicas.
public struct Shop: Sendable {
  private let database: ReplicatedDatabase
  private let name: String

  /// Makes the shop of one node.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - name: The name of the node, for its sales.
  public init(_ database: ReplicatedDatabase, name: String) {
    self.database = database
    self.name = name
  }

  /// Sells a random item.
  ///
  /// The first sale of all makes the tables. Their statements travel through the log too: what
  /// changes the schema runs on the primary only.
  ///
  /// - Returns: The key of the sale.
  /// - Throws: `ReplicationError.notPrimary(address:)` on a replica, or another error.
  public func sell() async throws -> Int64 {
    try await database.write { [name] db in
      if try !db.tableExists("sale") { try Self.createTables(db) }
      let itemID = Int64.random(in: 1...3)
      try db.execute(sql: "UPDATE item SET sold = sold + 1 WHERE id = ?", arguments: [itemID])
      try db.execute(
        sql: "INSERT INTO sale (itemID, node) VALUES (?, ?)",
        arguments: [itemID, name]
      )
      return db.lastInsertedRowID
    }
  }

  private static func createTables(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, sold INTEGER NOT NULL);
        CREATE TABLE sale (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          itemID INTEGER NOT NULL REFERENCES item(id),
          node TEXT NOT NULL
        );
        INSERT INTO item VALUES (1, 'cup', 0), (2, 'pot', 0), (3, 'jug', 0);
        """
    )
  }
}
