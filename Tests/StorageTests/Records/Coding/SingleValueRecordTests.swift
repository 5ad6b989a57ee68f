import Foundation
import Storage
import Testing

@testable import StorageTestSupport

/// A wrapper that is coded as the value that it wraps.
private struct Wrapper<Wrapped: Codable & Hashable>: Codable, Hashable {
  var wrapped: Wrapped

  init(_ wrapped: Wrapped) { self.wrapped = wrapped }
  init(from decoder: any Decoder) throws {
    wrapped = try decoder.singleValueContainer().decode(Wrapped.self)
  }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrapped)
  }
}

private struct Event: Codable, Hashable, FetchableRecord, PersistableRecord {
  var date: Wrapper<Date>
  var maybe: Wrapper<Date?>
  var nested: Wrapper<Wrapper<Date>>
  var data: Wrapper<Data>
  var uuid: Wrapper<UUID>

  static func databaseDateEncodingStrategy(
    for column: String
  ) -> DatabaseDateEncodingStrategy { .millisecondsSince1970 }
  static func databaseDateDecodingStrategy(
    for column: String
  ) -> DatabaseDateDecodingStrategy { .millisecondsSince1970 }
  static func databaseDataEncodingStrategy(
    for column: String
  ) -> DatabaseDataEncodingStrategy { .text }
  static func databaseUUIDEncodingStrategy(
    for column: String
  ) -> DatabaseUUIDEncodingStrategy { .lowercaseString }
}

/// A record that is coded as another record.
private struct Alias: Codable, Hashable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "item"
  var item: Item

  init(item: Item) { self.item = item }
  init(from decoder: any Decoder) throws {
    item = try decoder.singleValueContainer().decode(Item.self)
  }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(item)
  }
}

/// A record with its own way to and from rows.
private struct Tenfold: Codable, Hashable, FetchableRecord, PersistableRecord {
  var number: Int

  init(number: Int) { self.number = number }
  init(row: Row) throws { number = try row.decode(Int.self, forColumn: "tenfold") / 10 }
  func encode(to container: inout PersistenceContainer) { container["tenfold"] = number * 10 }
}

/// A record that is coded as another record, through a wrapper.
private struct WrappedTenfold: Codable, Hashable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "tenfold"
  var inner: Wrapper<Tenfold>

  init(_ number: Int) { inner = Wrapper(Tenfold(number: number)) }
  init(from decoder: any Decoder) throws {
    inner = try decoder.singleValueContainer().decode(Wrapper<Tenfold>.self)
  }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(inner)
  }
}

/// A record that claims to be coded as itself.
private struct Endless: Codable, FetchableRecord, PersistableRecord {
  init() {}
  init(from decoder: any Decoder) throws {
    self = try decoder.singleValueContainer().decode(Endless.self)
  }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(self)
  }
}

@Suite struct SingleValueRecordTests {
  @Test func `a wrapped record is coded in its own way`() throws {
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE tenfold (tenfold INTEGER)")
      try WrappedTenfold(1).insert(db)
      try WrappedTenfold(2).insert(db)
      #expect(try Int.fetchAll(db, sql: "SELECT tenfold FROM tenfold") == [10, 20])
      #expect(try WrappedTenfold.fetchAll(db) == [WrappedTenfold(1), WrappedTenfold(2)])
      let rows = try Row.fetchAll(db, sql: "SELECT * FROM tenfold")
      #expect(try rows.map(WrappedTenfold.init(row:)) == [WrappedTenfold(1), WrappedTenfold(2)])
    }
  }

  @Test func `a record that is coded as itself is an error`() throws {
    try withDatabase { db in
      #expect(throws: RowDecodingError.self) { try Endless.fetchOne(db, sql: "SELECT 1 AS a") }
      try db.execute(sql: "CREATE TABLE endless (a)")
      #expect(throws: (any Error).self) { try Endless().insert(db) }
    }
  }

  @Test func `the strategies of a record reach wrapped dates, data and UUIDs`() throws {
    try withDatabase { db throws in
      try db.execute(sql: "CREATE TABLE event (date, maybe, nested, data, uuid)")
      let date = Date(timeIntervalSince1970: 1)
      let uuid = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
      var event = Event(
        date: Wrapper(date),
        maybe: Wrapper(date),
        nested: Wrapper(Wrapper(date)),
        data: Wrapper(Data("cup".utf8)),
        uuid: Wrapper(uuid)
      )
      try event.insert(db)
      let row = try #require(try Row.fetchOne(db, sql: "SELECT * FROM event"))
      #expect(
        row == [
          "date": 1000, "maybe": 1000, "nested": 1000, "data": "cup",
          "uuid": "e621e1f8-c36c-495a-93fc-0c247a3e6e5f",
        ]
      )
      #expect(try Event.fetchAll(db) == [event])
      event.maybe = Wrapper(nil)
      try Event.deleteAll(db)
      try event.insert(db)
      #expect(try Event.fetchAll(db) == [event])
    }
  }

  @Test func `the strategies of a record reach optionals that code themselves`() throws {
    struct Late: Codable, Hashable, FetchableRecord, PersistableRecord {
      static let databaseTableName = "event"
      var date: Date?
      enum Key: CodingKey { case date }

      init(date: Date?) { self.date = date }
      init(from decoder: any Decoder) throws {
        date = try decoder.container(keyedBy: Key.self).decode(Date?.self, forKey: .date)
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(date, forKey: .date)
      }
      static func databaseDateEncodingStrategy(
        for column: String
      ) -> DatabaseDateEncodingStrategy { .millisecondsSince1970 }
      static func databaseDateDecodingStrategy(
        for column: String
      ) -> DatabaseDateDecodingStrategy { .millisecondsSince1970 }
    }
    try withDatabase { db throws in
      try db.execute(sql: "CREATE TABLE event (date)")
      let records = [Late(date: Date(timeIntervalSince1970: 1)), Late(date: nil)]
      for record in records { try record.insert(db) }
      #expect(try Int?.fetchAll(db, sql: "SELECT date FROM event") == [1000, nil])
      #expect(try Late.fetchAll(db) == records)
    }
  }

  @Test func `a record can be coded as another record`() throws {
    try withDatabase { db throws in
      try Alias(item: .cup).insert(db)
      try Alias(item: .pot).insert(db)
      try Alias(item: Item(id: 2, name: "jug", price: 1)).update(db)
      #expect(try Alias.fetchAll(db).map(\.item) == [.cup, Item(id: 2, name: "jug", price: 1)])
    }
  }
}
