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
/// A record that receives its `id` from the database is a ``MutableDatabaseRecord``: a
/// `mutating func didInsert` is never called here. Name the protocols one by one where one of them
/// does not apply, such as for a record without an `id`, or one that is only read.
public typealias DatabaseRecord =
  Codable & Equatable & Identifiable & Sendable & FetchableRecord & PersistableRecord

/// A ``DatabaseRecord`` that receives its `id` when it is inserted.
///
///     struct Jug: MutableDatabaseRecord {
///       var id: Int64?
///       var name: String
///
///       mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
///     }
///     var jug = Jug(name: "white")
///     try jug.insert(db)
///     // INSERT INTO "jug" ("id", "name") VALUES (NULL, 'white')
///     jug.id  // 1
public typealias MutableDatabaseRecord =
  Codable & Equatable & Identifiable & Sendable & FetchableRecord & MutablePersistableRecord
