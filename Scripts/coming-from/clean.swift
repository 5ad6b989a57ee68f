import Foundation
import Sharing

// Nothing in this file needs a change.

struct Item: Codable, Hashable, Identifiable, FetchableRecord, PersistableRecord {
  var id: Int64
  var name: String
  var price: Double

  enum Columns {
    static let name = Column("name")
    static let price = Column("price")
  }
}

struct Counts: FetchKeyRequest {
  func fetch(_ db: Database) throws -> Int { try Item.fetchCount(db) }
}

struct Model {
  @SharedReader(.fetchAll(Item.filter { $0.price < 10 }.order(\.name))) var items
  @SharedReader(.fetchOne(sql: "SELECT count(*) FROM item WHERE name <> ''")) var count = 0
  @SharedReader(.fetch(Counts())) var counts = 0
}

func use(_ pool: DatabasePool) async throws {
  try await pool.write { db in
    try db.create(table: "item") { t in
      t.autoIncrementedPrimaryKey("id")
      t.column("name", .text).notNull()
    }
    try Item(id: 1, name: "cup", price: 4).insert(db)
    try Item.filter { $0.price > 10 }.updateAll(db) { $0.price.set(to: 10) }
    try db.inSavepoint { .commit }
    try db.execute(sql: "DELETE FROM item")
    let statement = try db.makeStatement(sql: "SELECT 1")
    try statement.execute()
  }
}
