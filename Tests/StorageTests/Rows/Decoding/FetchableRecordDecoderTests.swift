import Foundation
import Storage
import Testing

@testable import StorageTestSupport

/// `FetchableRecordDecoder`, and the decoder that `row.decoder()` returns.
@Suite struct FetchableRecordDecoderTests {
  enum Kind: String, Decodable { case circle, square }
  enum Key: String, CodingKey { case kind, missing }

  struct Circle: Decodable, Equatable { var radius: Double }
  struct Square: Decodable, Equatable { var side: Int }

  enum Shape: Equatable {
    case circle(Circle)
    case square(Square)

    init(_ decoder: any Decoder) throws {
      switch try decoder.container(keyedBy: Key.self).decode(Kind.self, forKey: .kind) {
      case .circle: self = .circle(try Circle(from: decoder))
      case .square: self = .square(try Square(from: decoder))
      }
    }
  }

  static let sql = """
    SELECT column1 AS kind, column2 AS radius, column3 AS side
    FROM (VALUES ('circle', 1.5, NULL), ('square', NULL, 2))
    """

  @Test func `COD-09: a program can choose the decoded type by the content of the row`() throws {
    let expected = [Shape.circle(Circle(radius: 1.5)), .square(Square(side: 2))]
    try withDatabase { db in
      let live = try Row.fetchCursor(db, sql: Self.sql).map { try Shape($0.decoder()) }
      #expect(try Array(live) == expected)
      let rows = try Row.fetchAll(db, sql: Self.sql)
      #expect(try rows.map { try Shape($0.decoder()) } == expected)
    }
  }

  @Test func `containers outlive their decoder and their row`() throws {
    func container() throws -> KeyedDecodingContainer<Key> {
      try Row(["kind": "circle"]).decoder().container(keyedBy: Key.self)
    }
    let container = try container()
    #expect(container.allKeys == [.kind])
    #expect(container.contains(.kind))
    #expect(!container.contains(.missing))
    #expect(try container.decode(String.self, forKey: .kind) == "circle")
    #expect(try container.decode(Kind.self, forKey: .kind) == .circle)
    #expect(try container.decodeIfPresent(Int.self, forKey: .missing) == nil)
    #expect(try container.decodeNil(forKey: .missing))
  }

  @Test func `COD-08: a type that is not a record can be decoded`() throws {
    let row = Row(["side": 3])
    #expect(try FetchableRecordDecoder().decode(Square.self, from: row) == Square(side: 3))
    #expect(throws: RowDecodingError.self) {
      try FetchableRecordDecoder().decode(Circle.self, from: row)
    }
  }

  @Test func `COD-15, COD-16, COD-17: a row provides only a keyed container`() throws {
    let decoder = Row(["kind": "circle"]).decoder()
    expectError(
      "cannot decode Row from a row: a row has named columns and is not an unkeyed container"
    ) {
      _ = try decoder.unkeyedContainer()
    }
    expectError("cannot decode Int from a row: a row has columns and is not a single value") {
      _ = try decoder.singleValueContainer().decode(Int.self)
    }
    expectError("cannot decode Row from a row: a row has no super decoder") {
      _ = try decoder.container(keyedBy: Key.self).superDecoder()
    }
    expectError("cannot decode Row from a row: column kind has no nested container") {
      _ = try decoder.container(keyedBy: Key.self).superDecoder(forKey: .kind)
    }
    expectError("cannot decode Key from a row: column kind has no nested container") {
      _ = try decoder.container(keyedBy: Key.self).nestedContainer(keyedBy: Key.self, forKey: .kind)
    }
    expectError("cannot decode Row from a row: column kind has no nested container") {
      _ = try decoder.container(keyedBy: Key.self).nestedUnkeyedContainer(forKey: .kind)
    }
  }

  struct Numbers: Codable, Equatable, FetchableRecord {
    enum Format: Int, Codable { case png, jpg }
    var a: Int
    var b: Bool
    var c: Float
    var d: Double
    var e: String
    var f: Format
    var g: UInt16
    var h: Int8?
  }

  @Test func `COD-11, COD-12: numbers, texts and enums are read from columns`() throws {
    let row = Row(["a": 1, "b": true, "c": 1.5, "d": 2.5, "e": "x", "f": 1, "g": 65_535, "h": nil])
    let numbers = Numbers(a: 1, b: true, c: 1.5, d: 2.5, e: "x", f: .jpg, g: 65_535)
    #expect(try Numbers(row: row) == numbers)
    #expect(try Numbers(from: row.decoder()) == numbers)
    #expect(throws: RowDecodingError.self) {
      try Numbers(row: Row(row.map { ($0, $0 == "g" ? 65_536.databaseValue : $1) }))
    }
  }
}

extension Row {
  fileprivate convenience init(_ columns: [(String, DatabaseValue)]) {
    self.init(Dictionary(uniqueKeysWithValues: columns.map { ($0, $1) }))
  }
}
