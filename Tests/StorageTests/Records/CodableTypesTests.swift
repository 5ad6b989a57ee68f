import Foundation
@testable import Storage
import Testing

@Suite struct CodableTypesTests {
  struct Numbers: Codable, Hashable, FetchableRecord, PersistableRecord {
    var f: Float
    var i: Int32
    var u: UInt8
  }
  enum Color: String, Codable { case red }
  struct Colored: Codable, FetchableRecord { var color: Color }

  @Test func `a Codable record may have Float, Int32 and UInt8 read`() async {
    await #expect(processExitsWith: .success) {
      try withDatabase { db in
        _ = try Numbers.fetchAll(db, sql: "SELECT 1.5 AS f, 7 AS i, 255 AS u")
      }
    }
  }

  @Test func `a Codable record may have Float, Int32 and UInt8 written`() async {
    await #expect(processExitsWith: .success) {
      try withDatabase { db in
        try db.execute(sql: "CREATE TABLE numbers (f, i, u)")
        try Numbers(f: 1.5, i: 7, u: 255).insert(db)
      }
    }
  }

  @Test func `an unknown raw value is a RowDecodingError`() throws {
    try withDatabase { db in
      #expect(throws: RowDecodingError.self) {
        try Colored.fetchAll(db, sql: "SELECT 'blue' AS color")
      }
    }
  }

  @Test func `decimals and URLs in typed columns come back`() throws {
    struct Offer: Codable, FetchableRecord, PersistableRecord, Equatable {
      var price: Decimal
      var page: URL
    }
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE offer (price NUMERIC, page TEXT)")
      let offer = Offer(price: Decimal(string: "12.5")!, page: URL(string: "https://a.b/c")!)
      try offer.insert(db)
      #expect(try String.fetchOne(db, sql: "SELECT page FROM offer") == "https://a.b/c")
      #expect(try Offer.fetchAll(db, sql: "SELECT * FROM offer") == [offer])
    }
  }
}
