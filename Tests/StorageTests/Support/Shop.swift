import Storage
import TestSupport

/// The table that most tests use.
struct Item: Codable, Hashable, Sendable, FetchableRecord, PersistableRecord {
  var id: Int64
  var name: String
  var price: Double?

  static let schema = "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL)"
  static let cup = Item(id: 1, name: "cup", price: 4)
  static let pot = Item(id: 2, name: "pot", price: nil)
}

/// A pool on a new temporary file, with the items ``Item/cup`` and ``Item/pot``.
struct Shop {
  let directory = TemporaryDirectory()
  let pool: DatabasePool
  var path: String { directory.file() }

  init(_ configuration: Configuration = .patient) throws {
    pool = try DatabasePool(path: directory.file(), configuration: configuration)
    try pool.write { db in
      try db.execute(sql: Item.schema)
      try Item.cup.insert(db)
      try Item.pot.insert(db)
    }
  }

  /// An observation of all items.
  static let items = ValueObservation.tracking { db in
    try Item.fetchAll(db, sql: "SELECT * FROM item ORDER BY id")
  }
}

extension Configuration {
  /// For several writers of one file. SQLite's lock is not fair: a writer that commits again and
  /// again may keep another writer waiting for seconds where the disk is slow.
  static var patient: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(Patience.seconds)
    return configuration
  }
}
