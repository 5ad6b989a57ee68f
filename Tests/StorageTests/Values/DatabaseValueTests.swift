import Foundation
import Storage
import Testing

@testable import StorageTestSupport

@Suite struct DatabaseValueTests {
  private static let values: [DatabaseValue] = [
    .null, 12.databaseValue, Int64.min.databaseValue, 1.5.databaseValue,
    (-0.001).databaseValue, "it's".databaseValue, "".databaseValue, "''".databaseValue,
    Data().databaseValue, Data([0, 0xAB]).databaseValue, true.databaseValue,
  ]

  @Test(arguments: values)
  func `the description is an SQL literal of the value`(value: DatabaseValue) throws {
    let read = try withDatabase { db in
      try DatabaseValue.fetchOne(db, sql: "SELECT \(value)")
    }
    #expect(read == value)
  }

  @Test func `in JSON, a value is null, a number, a text, or the text of its data`() throws {
    let values: [DatabaseValue] = [
      .null, 12.databaseValue, Int64.min.databaseValue, 1.5.databaseValue, "it's".databaseValue,
      Data([1, 2]).databaseValue,
    ]
    let json = try JSONEncoder().encode(values)
    #expect(
      String(decoding: json, as: UTF8.self) == #"[null,12,-9223372036854775808,1.5,"it's","AQI="]"#
    )
    let decoded = try JSONDecoder().decode([DatabaseValue].self, from: json)
    #expect(decoded == values.dropLast() + ["AQI=".databaseValue])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([DatabaseValue].self, from: Data("[[1]]".utf8))
    }
  }

  @Test func `values of different storage classes differ`() {
    #expect(1.databaseValue != 1.0.databaseValue)
    #expect("1".databaseValue != 1.databaseValue)
    #expect("a".databaseValue != Data("a".utf8).databaseValue)
    #expect(DatabaseValue.null == .null)
    #expect(1.databaseValue == true.databaseValue)
  }

  @Test func `texts are equal if SQLite takes them as equal`() throws {
    let texts = [
      "", "a", "A", "\u{E9}", "e\u{301}", "a longer text with \u{E9}",
      "a longer text with e\u{301}", "e\u{323}\u{307} in another order",
      "e\u{307}\u{323} in another order",
    ]
    try withDatabase { db in
      for left in texts {
        for right in texts {
          let areEqual = try Bool.fetchOne(db, sql: "SELECT ? = ?", arguments: [left, right])
          #expect((left.databaseValue == right.databaseValue) == areEqual, "\(left), \(right)")
        }
      }
    }
    #expect(Set(texts.map(\.databaseValue)).count == texts.count)
  }

  @Test func `VAL-20: a value is fetched in its storage class`() throws {
    try withDatabase { db throws in
      let sql = "SELECT column1 FROM (VALUES (1), (1.5), ('x'), (x'00'), (NULL))"
      let storages: [DatabaseValue.Storage] = [
        .int64(1), .double(1.5), .string("x"), .blob(Data([0])), .null,
      ]
      #expect(try DatabaseValue.fetchAll(db, sql: sql).map(\.storage) == storages)
      #expect(try DatabaseValue.fetchSet(db, sql: sql).count == 5)
    }
  }

  @Test func `a zeroblob is read in full`() throws {
    try withDatabase { db in
      #expect(try Data.fetchOne(db, sql: "SELECT zeroblob(3)") == Data([0, 0, 0]))
      let value = try DatabaseValue.fetchOne(db, sql: "SELECT zeroblob(2)")
      #expect(value?.description == "x'0000'")
    }
  }
}
