/// What most records conform to: a value with an `id` that is read from a table, and written to it.
///
///     struct Cup: DatabaseRecord {
///       var id: Int64
///       var name: String
///     }
///     try Cup(id: 1, name: "blue").insert(db)
///     // INSERT INTO "cup" ("id", "name") VALUES (1, 'blue')
///     let cups = try Cup.filter { $0.name == "blue" }.fetchAll(db)
///     // SELECT * FROM "cup" WHERE "name" = 'blue'
///
/// Name the protocols one by one where one of them does not apply: a record without an `id`, one
/// that receives its `id` from the database (``MutablePersistableRecord``), or one that is only
/// read.
public typealias DatabaseRecord =
  Codable & Equatable & Identifiable & Sendable & FetchableRecord & PersistableRecord
