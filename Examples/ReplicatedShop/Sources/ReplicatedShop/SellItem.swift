import Replication
import Sharing

/// A sale: any node makes it, and the primary runs it.
///
/// The first sale of all makes the tables. Their statements travel through the log too: what
/// changes the schema runs on the primary only.
public struct SellItem: ForwardableWrite {
  /// What is sold.
  public var itemID: Int64
  /// The name of the node that sells.
  public var node: String
  /// The order of the customer. The table lets it occur twice, so that a doubled sale would show.
  public var orderID: String

  /// Makes the sale of an item.
  public init(itemID: Int64, node: String, orderID: String) {
    self.itemID = itemID
    self.node = node
    self.orderID = orderID
  }

  /// Sells the item.
  ///
  /// - Returns: The key of the sale.
  public func write(_ db: Database) throws -> Int64 {
    if try !db.tableExists("sale") { try Self.createTables(db) }
    try db.execute(sql: "UPDATE item SET sold = sold + 1 WHERE id = ?", arguments: [itemID])
    try db.execute(
      sql: "INSERT INTO sale (itemID, node, orderID) VALUES (?, ?, ?)",
      arguments: [itemID, node, orderID]
    )
    return db.lastInsertedRowID
  }

  private static func createTables(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, sold INTEGER NOT NULL);
        CREATE TABLE sale (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          itemID INTEGER NOT NULL REFERENCES item(id),
          node TEXT NOT NULL,
          orderID TEXT NOT NULL
        );
        INSERT INTO item VALUES (1, 'cup', 0), (2, 'pot', 0), (3, 'jug', 0);
        """
    )
  }
}
