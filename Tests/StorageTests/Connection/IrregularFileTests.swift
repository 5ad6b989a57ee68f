import Foundation
import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

/// Paths that lead to something else than an ordinary file.
@Suite struct IrregularFileTests {
  enum Kind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case fifo, linkToFIFO, socket, device, directory, descriptorOfPipe
    var testDescription: String { rawValue }

    func make(in directory: TemporaryDirectory) throws -> String {
      let path = directory.file("odd")
      switch self {
      case .fifo: try #require(mkfifo(path, 0o600) == 0)
      case .linkToFIFO:
        try #require(mkfifo(directory.file("fifo"), 0o600) == 0)
        try #require(symlink("fifo", path) == 0)
      case .socket:
        try #require(mknod(path, S_IFSOCK | 0o600, 0) == 0)
      case .device: return "/dev/null"
      case .directory: try #require(mkdir(path, 0o700) == 0)
      case .descriptorOfPipe:
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        return "/dev/fd/\(ends[0])"
      }
      return path
    }

    func message(_ path: String) -> String {
      self == .directory ? "\(path) is a directory" : "\(path) is not a regular file"
    }
  }

  @Test(arguments: Kind.allCases)
  func `they are refused, and nothing waits`(kind: Kind) throws {
    let directory = TemporaryDirectory()
    let path = try kind.make(in: directory)
    var readonly = Configuration()
    readonly.readonly = true
    expectDatabaseError(.SQLITE_CANTOPEN, kind.message(path)) {
      _ = try DatabaseQueue(path: path)
    }
    expectDatabaseError(.SQLITE_CANTOPEN, kind.message(path)) {
      _ = try DatabasePool(path: path)
    }
    expectDatabaseError(.SQLITE_CANTOPEN, kind.message(path)) {
      _ = try DatabasePool(path: path, configuration: readonly)
    }
    expectDatabaseError(.SQLITE_CANTOPEN, kind.message(path)) {
      _ = try DatabaseQueue(.uri(path, parameters: [.mode(.readOnly)]))
    }
    try withDatabase { db in
      expectDatabaseError(.SQLITE_CANTOPEN, kind.message(path)) {
        try db.attach(path, as: "other")
      }
    }
  }
}
