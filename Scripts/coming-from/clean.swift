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

struct List: Codable, Hashable, Identifiable, FetchableRecord, PersistableRecord {
  static let items = hasMany(Item.self)

  var id: Int64

  enum Columns { static let id = Column("id") }
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
    _ = try Item.all().group(\.name).having { count($0.name) > 1 }.fetchCount(db)
    _ = try Item.all().group { [$0.name, $0.price] }.fetchAll(db)
    _ = try List.having(List.items.count > 1).including(all: List.items).fetchAll(db)
    _ = try List.all().leftJoin(Item.self) { list, item in item.price == list.id }.fetchAll(db)
    _ = try Item.select { count($0.name, filter: $0.price < 10) }.fetchAll(db)
    _ = try Item.find(db, id: 1)
    _ = try Item.filter { [1, 2].contains($0.price) }.fetchAll(db)
    let statement = try db.makeStatement(sql: "SELECT 1")
    try statement.execute()
  }
}
