import Foundation
import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

/// Several processes write to one file, each through a pool.
@Suite struct DatabasePoolProcessesTests {
  private static let processCount = 8
  private static let writeCount = Soak.size(1000, inSuite: 20)

  @Test func `soak: eight writing processes never find the file locked`() async throws {
    let directory = TemporaryDirectory()
    let path = directory.file()
    do {
      let pool = try DatabasePool(path: path)
      try await pool.write { db in
        try db.execute(sql: "CREATE TABLE t (process INTEGER, n INTEGER, UNIQUE (process, n))")
      }
      try pool.close()
    }
    await withTaskGroup(of: Void.self) { group in
      for process in 0..<Self.processCount {
        group.addTask {
          let count = Self.writeCount
          await #expect(processExitsWith: .success) {
            [path = path as String, process = process as Int, count = count as Int] in
            let pool = try DatabasePool(path: path)
            for n in 0..<count {
              try await pool.write { db in
                try db.execute(sql: "INSERT INTO t VALUES (?, ?)", arguments: [process, n])
              }
            }
            try pool.close()
          }
        }
      }
    }
    let result = try SQLiteShell.run(
      path,
      "SELECT count(*), count(DISTINCT process) FROM t; PRAGMA integrity_check"
    )
    #expect(result == "\(Self.processCount * Self.writeCount)|\(Self.processCount)\nok")
  }
}
