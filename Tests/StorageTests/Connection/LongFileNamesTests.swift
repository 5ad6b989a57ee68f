import Foundation
import Storage
import TestSupport
import Testing

/// File names that leave no room for the endings of SQLite's journals.
@Suite struct LongFileNamesTests {
  private func open(_ path: String, isPool: Bool) throws {
    if isPool {
      let pool = try DatabasePool(path: path)
      try pool.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    } else {
      let queue = try DatabaseQueue(path: path)
      try queue.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    }
  }

  @Test(arguments: [1, 200, 240, 247, 248, 250, 255, 256, 300], [false, true])
  func `a name that is too long says so`(length: Int, isPool: Bool) throws {
    let directory = TemporaryDirectory()
    let path = directory.file(String(repeating: "n", count: length))
    guard length > 247 else { return try open(path, isPool: isPool) }
    let error = #expect(throws: DatabaseError.self) { try open(path, isPool: isPool) }
    #expect(error?.resultCode == .SQLITE_CANTOPEN)
    let message = error?.message ?? ""
    let says =
      message.contains("its name has \(length) bytes") || message.contains("file name is too long")
    #expect(says, "\(message)")
  }

  @Test(arguments: [400, 530, 700])
  func `a path that is too long says so`(length: Int) throws {
    let directory = TemporaryDirectory()
    var path = directory.path
    while path.utf8.count < length { path += "/" + String(repeating: "d", count: 50) }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    path += "/test.sqlite"
    guard length > 500 else { return try open(path, isPool: true) }
    let error = #expect(throws: DatabaseError.self) { try open(path, isPool: true) }
    let message = error?.message ?? ""
    #expect(message.contains("its path has \(path.utf8.count) bytes"), "\(message)")
  }
}
