internal import Storage

/// The database of the demo: a small shop.
enum Shop {
  /// An item that the shop sells.
  struct Item: Equatable, Sendable {
    let id: Int64
    let name: String
    let price: Double
    let stock: Int64
  }

  /// The goods that the shop sells at the start or adds later.
  static let goods: [(name: String, price: Double)] = [
    ("Teapot", 24.5), ("Teacup", 6.8), ("Espresso cup", 5.4), ("Milk jug", 9.9),
    ("Sugar bowl", 8.25), ("Cake plate", 12), ("Soup bowl", 11.5), ("Water glass", 3.95),
    ("Wine glass", 7.2), ("Carafe", 18.4), ("Wooden spoon", 4.1), ("Whisk", 7.75),
    ("Rolling pin", 13.6), ("Egg timer", 10.3), ("Apron", 21), ("Tea towel", 6.5),
  ]

  /// The number of goods that the shop sells at the start.
  private static let firstGoodsCount = 9

  /// Creates the database file, with goods and without orders.
  static func create(at path: String) throws {
    let pool = try DatabasePool(path: path)
    try pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE item (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            price REAL NOT NULL,
            stock INTEGER NOT NULL CHECK (stock >= 0),
            sold INTEGER NOT NULL DEFAULT 0
          );
          CREATE TABLE "order" (
            id INTEGER PRIMARY KEY,
            itemID INTEGER NOT NULL REFERENCES item ON DELETE CASCADE,
            quantity INTEGER NOT NULL,
            price REAL NOT NULL
          );
          CREATE INDEX order_on_itemID ON "order" (itemID);
          """
      )
      for (index, good) in goods.prefix(firstGoodsCount).enumerated() {
        try db.execute(
          sql: "INSERT INTO item (name, price, stock) VALUES (?, ?, ?)",
          arguments: [good.name, good.price, 12 + index * 5 % 17]
        )
      }
    }
    try pool.close()
  }

  /// Returns all items of the shop.
  static func items(_ db: Database) throws -> [Item] {
    try Row.fetchAll(db, sql: "SELECT id, name, price, stock FROM item ORDER BY id").map { row in
      Item(
        id: try row.decode(Int64.self, forColumn: "id"),
        name: try row.decode(String.self, forColumn: "name"),
        price: try row.decode(Double.self, forColumn: "price"),
        stock: try row.decode(Int64.self, forColumn: "stock")
      )
    }
  }
}
