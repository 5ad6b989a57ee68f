import Foundation
import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

/// The memory that fetches use. Each test measures a separate process.
@Suite(.disabled(if: Sanitizer.isActive)) struct FetchableMemoryTests {
  static let rowCount = Soak.size(1_000_000, inSuite: 100_000)

  static let sql = """
    WITH RECURSIVE number (n) AS (
      SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(rowCount)
    )
    SELECT n, 'a text that is too long for the inside of a String' AS text FROM number
    """

  /// Returns the process's memory in kilobytes: at present (`VmRSS`) or at its peak (`VmHWM`).
  static func kilobytes(_ field: String) throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(field + ":") })
    return try #require(Int(line.filter(\.isNumber)))
  }

  @Test func `soak: a cursor over many rows holds only one row in memory`() async {
    await #expect(processExitsWith: .success) {
      try withDatabase { db in
        // Loads and allocates everything that is needed only once.
        _ = try Row.fetchOne(db, sql: Self.sql)
        let before = try Self.kilobytes("VmHWM")
        let rows = try Row.fetchCursor(db, sql: Self.sql)
        var count = 0
        while let row = try rows.next() {
          let text: String = row["text"]
          count += text.isEmpty ? 0 : 1
        }
        let growth = try Self.kilobytes("VmHWM") - before
        try #require(count == Self.rowCount)
        try #require(growth < 1024, "grew by \(growth) kB")
      }
    }
  }

  @Test func `soak: fetchAll of many rows holds only its result in memory`() async {
    await #expect(processExitsWith: .success) {
      try withDatabase { db in
        _ = try Row.fetchOne(db, sql: Self.sql)
        let before = try Self.kilobytes("VmRSS")
        let texts = try Text.fetchAll(db, sql: Self.sql)
        let growth = try Self.kilobytes("VmRSS") - before
        try #require(texts.count == Self.rowCount)
        // Each text takes 51 bytes, with 32 bytes for Swift's object header and 16 for the
        // allocator.
        let size = (texts.capacity * MemoryLayout<Text>.stride + texts.count * 112) / 1024
        try #require(growth < size + 1024, "\(size) kB of texts take \(growth) kB")
      }
    }
  }

  struct Text: Decodable, FetchableRecord {
    var text: String
  }
}
