import Foundation
import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

/// Texts and blobs: their bytes are either read unchanged or refused.
@Suite struct StringConversionTests {
  @Test(
    arguments: [
      "", "cup", "it's", "a\0b", "\0", "\0\0\0", "smörgås 🫖 \u{301}", "\u{FFFD}", "\r\n",
      String(repeating: "long ", count: 10_000),
    ]
  )
  func `VAL-06: a text is stored and read with every character`(text: String) throws {
    try withDatabase { db in
      let sql = "SELECT ?1, length(CAST(?1 AS BLOB)), typeof(?1)"
      let row = try #require(try Row.fetchOne(db, sql: sql, arguments: [text]))
      // `==` ignores differences in Unicode normalisation, which must be kept.
      #expect(Array((row[0] as String).utf8) == Array(text.utf8))
      #expect(row[1] == text.utf8.count)
      #expect(row[2] == "text")
      #expect(try String.fetchAll(db, sql: sql, arguments: [text]) == [text])
    }
  }

  @Test(arguments: [Data(), Data([0]), Data([0xFF, 0, 0xFE]), Data(repeating: 7, count: 100_000)])
  func `a blob is stored and read with every byte`(data: Data) throws {
    try withDatabase { db in
      let sql = "SELECT ?1, length(?1), typeof(?1)"
      let row = try #require(try Row.fetchOne(db, sql: sql, arguments: [data]))
      #expect(row[0] == data)
      #expect(row[1] == data.count)
      #expect(row[2] == "blob")
      #expect(try Data.fetchAll(db, sql: sql, arguments: [data]) == [data])
    }
  }

  @Test func `a slice of data is bound without the bytes around it`() throws {
    let slice = Data([1, 2, 3, 4])[1..<3]
    let hex = try withDatabase { db in
      try String.fetchOne(db, sql: "SELECT hex(?)", arguments: [slice])
    }
    #expect(hex == "0203")
  }

  @Test func `an empty text and an empty blob are not NULL`() throws {
    try withDatabase { db in
      let empty: StatementArguments = ["", Data()]
      let row = try #require(
        try Row.fetchOne(db, sql: "SELECT ?1 IS NULL, ?2 IS NULL, ?1, ?2", arguments: empty)
      )
      #expect(row[0] == false)
      #expect(row[1] == false)
      #expect(row[2] == String?.some(""))
      #expect(row[3] == Data?.some(Data()))
      #expect(try Data?.fetchAll(db, sql: "SELECT zeroblob(0)") == [Data()])
      #expect(try String?.fetchAll(db, sql: "SELECT ''") == [""])
    }
  }

  @Test(arguments: ["x'FF'", "x'61C3'", "x'61ED A0 80'", "x'F5808080'"])
  func `a text that is not valid UTF-8 is an error, but its bytes can be read`(blob: String) throws
  {
    let blob = blob.replacingOccurrences(of: " ", with: "")
    try withDatabase { db in
      let sql = "SELECT CAST(\(blob) AS TEXT) AS name"
      let bytes = try #require(try Data.fetchOne(db, sql: "SELECT \(blob)"))
      let message = """
        column name holds \(blob), which is no String - in rows of "\(sql)"
        """
      expectError(message) { _ = try String.fetchAll(db, sql: sql) }
      #expect(throws: RowDecodingError.self) { try String?.fetchAll(db, sql: sql) }
      let row = try #require(try Row.fetchOne(db, sql: sql))
      #expect(throws: RowDecodingError.self) { try row.decode(String.self, forColumn: "name") }
      #expect(row["name"] == bytes)
      #expect(try Data.fetchAll(db, sql: sql) == [bytes])
    }
  }

  @Test func `a text is read from a blob of valid UTF-8, and data from a text`() throws {
    try withDatabase { db throws in
      #expect(try String.fetchAll(db, sql: "SELECT x'637570'") == ["cup"])
      #expect(try Data.fetchAll(db, sql: "SELECT 'cup'") == [Data("cup".utf8)])
      #expect(throws: RowDecodingError.self) { try String.fetchAll(db, sql: "SELECT x'FF'") }
      #expect(String.fromDatabaseValue(Data([0xFF]).databaseValue) == nil)
    }
  }

  @Test(arguments: ["1", "1.5", "NULL"])
  func `a number and NULL are read neither as text nor as data`(expression: String) throws {
    try withDatabase { db in
      let sql = "SELECT \(expression)"
      #expect(throws: RowDecodingError.self) { try String.fetchAll(db, sql: sql) }
      #expect(throws: RowDecodingError.self) { try Data.fetchAll(db, sql: sql) }
      let row = try #require(try Row.fetchOne(db, sql: sql))
      #expect(throws: RowDecodingError.self) { try row.decode(String.self, atIndex: 0) }
      #expect(throws: RowDecodingError.self) { try row.decode(Data.self, atIndex: 0) }
    }
  }

  @Test(arguments: ["UTF-16le", "UTF-16be"])
  func `a database in UTF-16 is read like one in UTF-8`(encoding: String) throws {
    let directory = TemporaryDirectory()
    try SQLiteShell.run(
      directory.file(),
      "PRAGMA encoding = '\(encoding)'; \(Item.schema); INSERT INTO item VALUES (1, 'smörgås🫖', 4)"
    )
    let queue = try DatabaseQueue(path: directory.file())
    try queue.write { db in
      try db.execute(sql: "INSERT INTO item VALUES (2, ?, 5)", arguments: ["a\0b"])
      let names = ["smörgås🫖", "a\0b"]
      let sql = "SELECT name FROM item ORDER BY id"
      #expect(try String.fetchAll(db, sql: sql) == names)
      #expect(try Data.fetchAll(db, sql: sql) == names.map { Data($0.utf8) })
      #expect(try Row.fetchAll(db, sql: sql).map { $0["name"] } == names)
      #expect(try Date.fetchOne(db, sql: "SELECT '1970-01-01 00:01'")?.timeIntervalSince1970 == 60)
    }
  }
}
