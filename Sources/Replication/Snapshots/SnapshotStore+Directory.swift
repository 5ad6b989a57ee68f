internal import Dispatch
internal import Foundation
internal import WellspringSystem

extension SnapshotStore {
  /// Returns a store in a directory, such as one on a file server that all nodes reach.
  ///
  /// The directory is made when the first snapshot is kept. A file gets its name when it is
  /// complete.
  public static func directory(_ path: String) -> SnapshotStore {
    SnapshotStore(
      put: { file, name in
        try await onOtherThread {
          let manager = FileManager.default
          try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
          let part = "\(path)/.\(name).\(UUID().uuidString)"
          defer { try? manager.removeItem(atPath: part) }
          try manager.copyItem(atPath: file, toPath: part)
          try synchronize(part)
          // A rename replaces a file of this name, of the same place, at once.
          guard rename(part, "\(path)/\(name)") == 0 else {
            throw CocoaError(.fileWriteUnknown)
          }
          removeParts(upTo: name, in: path)
        }
      },
      get: { name, file in
        try await onOtherThread {
          try FileManager.default.copyItem(atPath: "\(path)/\(name)", toPath: file)
        }
      },
      names: {
        try await onOtherThread {
          guard FileManager.default.fileExists(atPath: path) else { return [] }
          return try FileManager.default.contentsOfDirectory(atPath: path)
            .filter { !$0.hasPrefix(".") }
        }
      },
      remove: { name in
        try await onOtherThread { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }
      }
    )
  }

  /// Removes the unfinished files of nodes that were killed while they kept a snapshot.
  private static func removeParts(upTo name: String, in path: String) {
    let names = try? FileManager.default.contentsOfDirectory(atPath: path)
    for part in names ?? [] where part.hasPrefix(".") {
      // A point, the name of the snapshot, a point, and a UUID.
      let snapshot = String(part.dropFirst().dropLast(37))
      guard SnapshotName.isUp(to: name, snapshot) else { continue }
      try? FileManager.default.removeItem(atPath: "\(path)/\(part)")
    }
  }

  private static func synchronize(_ path: String) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    defer { try? file.close() }
    try file.synchronize()
  }

  /// Runs file operations, which block, outside Swift's cooperative threads.
  private static func onOtherThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await Promise.value { promise in
      DispatchQueue.global().async { promise.fulfil(Result { try body() }) }
    }.get()
  }
}
