import Foundation
import Storage
import Testing

@testable import StorageTestSupport

@Suite struct RowBytesTests {
  @Test func `VAL-08, A-035: bytes are read without copying them`() throws {
    try withRows("SELECT x'0102' AS a, 'ö' AS b, x'' AS c, NULL AS d, 5 AS e, '' AS f") {
      row throws in
      let bytes = { (data: Data?) in data.map(Array.init) }
      #expect(try row.withUnsafeData(atIndex: 0, bytes) == [1, 2])
      #expect(try row.withUnsafeData(named: "A", bytes) == [1, 2])
      #expect(try row.withUnsafeData(atIndex: 1, bytes) == [0xC3, 0xB6])
      #expect(try row.withUnsafeData(atIndex: 2, bytes) == [])
      #expect(try row.withUnsafeData(atIndex: 3, bytes) == nil)
      #expect(try row.withUnsafeData(atIndex: 5, bytes) == [])
      #expect(throws: RowDecodingError.self) { try row.withUnsafeData(atIndex: 4, bytes) }
      #expect(throws: RowDecodingError.self) { try row.withUnsafeData(atIndex: 6, bytes) }
      #expect(throws: RowDecodingError.self) { try row.withUnsafeData(named: "z", bytes) }
      #expect(try row.withSpan(atIndex: 0) { $0.byteCount } == 2)
      #expect(
        try row.withSpan(atIndex: 1) { $0.unsafeLoad(fromByteOffset: 1, as: UInt8.self) } == 0xB6
      )
      #expect(try row.withSpan(atIndex: 2) { $0.isEmpty })
      for index in [3, 4, 6] {
        #expect(throws: RowDecodingError.self) { try row.withSpan(atIndex: index) { $0.byteCount } }
      }
    }
  }

  @Test func `CUR-05: the bytes of a live row are in SQLite's memory`() throws {
    try withDatabase { db in
      let cursor = try Row.fetchCursor(db, sql: "SELECT zeroblob(100000)")
      let row = try #require(try cursor.next())
      func address(_ bytes: RawSpan) -> Int {
        bytes.withUnsafeBytes { Int(bitPattern: $0.baseAddress) }
      }
      let first = try row.withSpan(atIndex: 0, address)
      #expect(try row.withSpan(atIndex: 0, address) == first)
      let data = try row.withUnsafeData(atIndex: 0) { data in
        data?.withUnsafeBytes { Int(bitPattern: $0.baseAddress) }
      }
      #expect(data == first)
    }
  }
}
