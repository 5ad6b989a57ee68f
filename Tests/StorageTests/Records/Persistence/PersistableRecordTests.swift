import Foundation
import Storage
import Testing

@testable import StorageTestSupport

@Suite struct PersistableRecordTests {
  /// A record with a primary key of two columns.
  struct Stock: Codable, Hashable, FetchableRecord, PersistableRecord {
    var shelf: String
    var item: Int
    var count: Int?

    static let schema = "(count INT, item INT, shelf TEXT, PRIMARY KEY (shelf, item))"
  }

  /// Sets only the given columns.
  struct Sparse: PersistableRecord {
    var columns: KeyValuePairs<String, Int?>
    static let databaseTableName = "sparse"
    static let schema = "CREATE TABLE sparse (a DEFAULT -1, b DEFAULT -1, c DEFAULT -1)"

    func encode(to container: inout PersistenceContainer) {
      for (name, value) in columns { container[name] = value }
    }
  }

  struct Quoted: Codable, Hashable, FetchableRecord, PersistableRecord {
    enum CodingKeys: String, CodingKey {
      case id = "the \"id\""
      case order
    }

    var id: Int
    var order: String
    static let databaseTableName = "my \"table\"; --"
  }

  func items(_ db: Database) throws -> [Item] {
    try Item.fetchAll(db, sql: "SELECT * FROM item ORDER BY id")
  }

  // MARK: Insertion

  @Test func `a record is inserted as a row`() throws {
    try withDatabase { db in
      try Item.cup.insert(db)
      #expect(db.lastInsertedRowID == 1)
      #expect(db.changesCount == 1)
      try Item.pot.insert(db)
      #expect(try items(db) == [.cup, .pot])
      #expect(try String.fetchAll(db, sql: "SELECT typeof(price) FROM item") == ["real", "null"])
    }
  }

  @Test func `a constraint violation is an error, and the next record is inserted correctly`()
    throws
  {
    try withDatabase { db in
      try Item.cup.insert(db)
      for _ in 0..<2 {
        let error = expectDatabaseError(
          .SQLITE_CONSTRAINT_PRIMARYKEY,
          "UNIQUE constraint failed: item.id"
        ) {
          try Item.cup.insert(db)
        }
        #expect(error?.sql == #"INSERT INTO "item" ("id", "name", "price") VALUES (?, ?, ?)"#)
      }
      try Item.pot.insert(db)
      #expect(try items(db) == [.cup, .pot])
    }
  }

  @Test func `records of one type can set different columns`() throws {
    try withDatabase { db in
      try db.execute(sql: Sparse.schema)
      let records: [KeyValuePairs<String, Int?>] = [
        ["a": 1, "b": 2], ["a": 3, "b": 4], ["b": 5, "a": 6], ["a": 7], ["a": 8, "b": 9, "c": 10],
        ["c": 11], [:], ["a": 12, "b": nil], ["a": 13, "a": 14, "b": 15], ["a": 16, "b": 17],
      ]
      for columns in records { try Sparse(columns: columns).insert(db) }
      let rows = try Row.fetchAll(db, sql: "SELECT * FROM sparse").map { row in
        (0..<3).map { row[$0] as Int? }
      }
      #expect(
        rows == [
          [1, 2, -1], [3, 4, -1], [6, 5, -1], [7, -1, -1], [8, 9, 10], [-1, -1, 11], [-1, -1, -1],
          [12, nil, -1], [14, 15, -1], [16, 17, -1],
        ]
      )
    }
  }

  @Test func `an insertion adapts to schema changes`() throws {
    try withDatabase { db in
      try Item.cup.insert(db)
      try db.execute(sql: "DROP TABLE item; CREATE TABLE item (price, stock DEFAULT 7, name, id)")
      try Item.pot.insert(db)
      #expect(try items(db) == [.pot])
      try db.execute(sql: "ALTER TABLE item DROP COLUMN price")
      expectDatabaseError(.SQLITE_ERROR, "table item has no column named price") {
        try Item.cup.insert(db)
      }
      try db.execute(sql: "ALTER TABLE item ADD COLUMN price")
      try Item.cup.insert(db)
      #expect(try items(db) == [.cup, .pot])
    }
  }

  @Test func `an error rolls back all insertions of a transaction`() throws {
    let shop = try Shop()
    #expect(throws: DatabaseError.self) {
      try shop.pool.write { db in
        for id in 3...1000 { try Item(id: Int64(id), name: "\(id)", price: nil).insert(db) }
        try Item.cup.insert(db)
      }
    }
    let items = try shop.pool.read { db in try self.items(db) }
    #expect(items == [.cup, .pot])
  }

  @Test func `a missing table is an error`() throws {
    try withDatabase { db in
      expectDatabaseError(.SQLITE_ERROR, "no such table: stock") {
        try Stock(shelf: "a", item: 1, count: nil).insert(db)
      }
      expectDatabaseError(.SQLITE_ERROR, "no such table: stock") {
        try Stock(shelf: "a", item: 1, count: nil).update(db)
      }
      expectDatabaseError(.SQLITE_ERROR, "no such table: stock") {
        try Stock(shelf: "a", item: 1, count: nil).delete(db)
      }
    }
  }

  // MARK: Update and deletion

  @Test func `an update writes all columns of one row`() throws {
    try withDatabase { db in
      try Item.cup.insert(db)
      try Item.pot.insert(db)
      try Item(id: 1, name: "mug", price: nil).update(db)
      #expect(try items(db) == [Item(id: 1, name: "mug", price: nil), .pot])
      // An update finds the row even if it changes nothing.
      try Item.pot.update(db)
    }
  }

  @Test func `an update of a missing row is an error`() throws {
    try withDatabase { db in
      let error = #expect(throws: RecordError.self) { try Item.cup.update(db) }
      let key = ["id": 1.databaseValue]
      #expect(error == .recordNotFound(databaseTableName: "item", key: key))
      #expect("\(error, default: "")" == "no row in item with id = 1")
      try db.execute(sql: "CREATE TABLE stock \(Stock.schema)")
      expectError(
        "no row in stock with item = 2 and shelf = 'it''s'"
      ) {
        try Stock(shelf: "it's", item: 2, count: 3).update(db)
      }
    }
  }

  @Test func `a deletion returns whether there was a row`() throws {
    try withDatabase { db in
      try Item.cup.insert(db)
      try Item.pot.insert(db)
      #expect(try Item.cup.delete(db))
      #expect(try !Item.cup.delete(db))
      #expect(try items(db) == [.pot])
    }
  }

  @Test(arguments: ["", " WITHOUT ROWID"])
  func `a primary key can have several columns`(option: String) throws {
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE stock \(Stock.schema)\(option)")
      let shelves = ["a", "b"]
      for shelf in shelves {
        for item in 1...2 { try Stock(shelf: shelf, item: item, count: 0).insert(db) }
      }
      try Stock(shelf: "a", item: 2, count: 5).update(db)
      #expect(try Stock(shelf: "b", item: 1, count: 9).delete(db))
      #expect(
        try Stock.fetchSet(db, sql: "SELECT * FROM stock") == [
          Stock(shelf: "a", item: 1, count: 0), Stock(shelf: "a", item: 2, count: 5),
          Stock(shelf: "b", item: 2, count: 0),
        ]
      )
    }
  }

  @Test func `a record with only its primary key can be updated`() throws {
    struct Tag: Codable, PersistableRecord { var name: String }
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE tag (name TEXT PRIMARY KEY)")
      expectError(
        "no row in tag with name = 'new'"
      ) { try Tag(name: "new").update(db) }
      try Tag(name: "new").insert(db)
      try Tag(name: "new").update(db)
      #expect(try Tag(name: "new").delete(db))
    }
  }

  @Test func `a record whose key is NULL stands for no row`() throws {
    struct Device: Codable, PersistableRecord {
      var serial: String?
      var name: String
    }
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE device (serial TEXT PRIMARY KEY, name TEXT)")
      try db.execute(sql: "INSERT INTO device VALUES (NULL, 'a'), (NULL, 'b')")
      let device = Device(serial: nil, name: "c")
      #expect(try !device.delete(db))
      expectError("no row in device with serial = NULL") { try device.update(db) }
      #expect(try !device.exists(db))
      #expect(try String.fetchAll(db, sql: "SELECT name FROM device") == ["a", "b"])
      try db.execute(sql: "CREATE TABLE stock \(Stock.schema)")
      try db.execute(sql: "INSERT INTO stock VALUES (1, NULL, 'a'), (2, NULL, 'a')")
      struct Shelf: Codable, PersistableRecord {
        static let databaseTableName = "stock"
        var shelf = "a"
        var item: Int?
      }
      #expect(try !Shelf().delete(db))
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM stock") == 2)
    }
  }

  @Test func `a record of a table without a primary key cannot be updated`() throws {
    try withDatabase { db in
      try db.execute(sql: Sparse.schema)
      let message = "the table sparse has no primary key"
      expectDatabaseError(.SQLITE_MISUSE, message) { try Sparse(columns: ["a": 1]).update(db) }
      expectDatabaseError(.SQLITE_MISUSE, message) { try Sparse(columns: ["a": 1]).delete(db) }
    }
  }

  @Test func `a record that does not encode its primary key cannot be updated`() throws {
    struct Price: Codable, PersistableRecord {
      static let databaseTableName = "stock"
      var shelf: String
      var count: Int
    }
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE stock \(Stock.schema)")
      try db.execute(sql: "INSERT INTO stock VALUES (1, 2, 'a')")
      let message = "the record does not encode the primary key of stock: shelf, item"
      expectDatabaseError(.SQLITE_MISUSE, message) { try Price(shelf: "a", count: 9).update(db) }
      expectDatabaseError(.SQLITE_MISUSE, message) { try Price(shelf: "a", count: 9).delete(db) }
      #expect(try Int.fetchAll(db, sql: "SELECT count FROM stock") == [1])
    }
  }

  @Test func `names can contain quotes and SQL keywords`() throws {
    try withDatabase { db in
      let table = Quoted.databaseTableName.quotedDatabaseIdentifier
      try db.execute(sql: #"CREATE TABLE \#(table) ("the ""id""" INTEGER PRIMARY KEY, "order")"#)
      try Quoted(id: 1, order: "a").insert(db)
      try Quoted(id: 2, order: "'; DROP TABLE item").insert(db)
      try Quoted(id: 1, order: "b").update(db)
      #expect(try Quoted(id: 2, order: "").delete(db))
      #expect(try Quoted.fetchAll(db, sql: "SELECT * FROM \(table)") == [Quoted(id: 1, order: "b")])
    }
  }

  @Test func `column names are compared ignoring case`() throws {
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE stock (SHELF, Item, COUNT, PRIMARY KEY (Shelf, ITEM))")
      try Stock(shelf: "a", item: 1, count: 0).insert(db)
      try Stock(shelf: "a", item: 1, count: 4).update(db)
      #expect(try Int.fetchAll(db, sql: "SELECT count FROM stock") == [4])
    }
  }
}
