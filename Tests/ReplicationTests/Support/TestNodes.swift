import Foundation
import Replication
import Storage
import Testing
import TestSupport

/// A directory for the files of a test's nodes, and the log that they share.
final class TestNodes: Sendable {
  let log = MemoryLog()
  let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("nodes-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  func path(_ name: String) -> String {
    directory.appendingPathComponent("\(name).sqlite").path
  }

  /// Options with short times. A primary that a busy machine does not run for the election timeout
  /// is overtaken, as it must be.
  static func options(_ name: String) -> ReplicationOptions {
    var options = ReplicationOptions()
    options.address = name
    options.heartbeatInterval = .milliseconds(50)
    options.electionTimeout = .seconds(2)
    return options
  }

  /// Opens a node that soon claims the primacy, because no other candidate is open.
  func openOnlyCandidate(
    _ name: String,
    log: MemoryLog? = nil
  ) async throws -> ReplicatedDatabase {
    var options = Self.options(name)
    options.electionTimeout = .milliseconds(200)
    return try await open(name, log: log, options: options)
  }

  /// Opens a node with a connection of its own to the log.
  func open(
    _ name: String,
    role: ReplicationRole = .automatic,
    log: MemoryLog? = nil,
    options: ReplicationOptions? = nil
  ) async throws -> ReplicatedDatabase {
    try await ReplicatedDatabase(
      path: path(name),
      log: log ?? MemoryLog(sharing: self.log),
      role: role,
      options: options ?? Self.options(name)
    )
  }
}

extension ReplicatedDatabase {
  /// Waits for a status.
  func waitForStatus(
    _ what: String,
    _ isWanted: @escaping @Sendable (ReplicationStatus) -> Bool
  ) async throws -> ReplicationStatus {
    let updates = statusUpdates
    let found = Task {
      for await status in updates where isWanted(status) { return status as ReplicationStatus? }
      return nil
    }
    let timeout = Task {
      try await Task.sleep(for: Patience.limit)
      found.cancel()
    }
    defer { timeout.cancel() }
    let status = await withTaskCancellationHandler {
      await found.value
    } onCancel: {
      found.cancel()
    }
    try Task.checkCancellation()
    return try #require(status, "\(what) did not come; the status is \(self.status)")
  }

  /// Waits until the node is the primary.
  func waitForPrimacy() async throws {
    _ = try await waitForStatus("the primacy") { $0.role == .primary }
  }

  /// Waits until the node contains the commits of another node.
  func catchUp(with other: ReplicatedDatabase) async throws {
    try await wait(until: other.lastToken, timeout: Patience.limit)
  }
}

/// Expects equal content of nodes: rows, row ids, sequences, schema, and the place in the history.
func expectEqual(
  _ nodes: ReplicatedDatabase...,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  try expectEqual(nodes, sourceLocation: sourceLocation)
}

/// Expects equal content of nodes.
func expectEqual(
  _ nodes: [ReplicatedDatabase],
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let first = try nodes[0].read(DatabaseContent.init)
  for node in nodes.dropFirst() {
    let content = try node.read(DatabaseContent.init)
    #expect(content.differences(from: first) == [], sourceLocation: sourceLocation)
  }
}
