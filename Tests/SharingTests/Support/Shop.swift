import Sharing

struct Item: Codable, Hashable, Sendable, Identifiable, FetchableRecord, PersistableRecord {
  var id: Int64
  var name: String

  enum Columns {
    static let id = Column("id")
    static let name = Column("name")
  }
}

/// Creates an in-memory database with two items.
func makeDatabase() throws -> DatabaseQueue {
  let database = try DatabaseQueue()
  try database.write { db in try createShop(db) }
  return database
}

/// Creates an in-memory database with two items, for async tests.
func makeDatabase() async throws -> DatabaseQueue {
  let database = try DatabaseQueue()
  try await database.write { db in try createShop(db) }
  return database
}

/// Creates a table with two items.
@Sendable func createShop(_ db: Database) throws {
  try db.execute(sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
  try Item(id: 1, name: "cup").insert(db)
  try Item(id: 2, name: "pot").insert(db)
}

extension DatabaseWriter {
  /// Runs a statement in a transaction.
  func run(_ sql: String) async throws {
    try await write { db in try db.execute(sql: sql) }
  }
}

extension SharedReaderKey where Self == FetchKey<[Item]> {
  static func items(in database: (any DatabaseReader)?) -> Self {
    .fetchAll(sql: "SELECT * FROM item ORDER BY id", database: database)
  }
}
