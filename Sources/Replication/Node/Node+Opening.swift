internal import Dispatch
internal import Foundation
internal import Storage
internal import WellspringSystem

extension Node {
  /// Opens a node on a thread of its own, because calls of the log block.
  static func open(
    _ path: String,
    _ configuration: Configuration,
    _ log: any ReplicationLog,
    _ role: ReplicationRole,
    _ options: ReplicationOptions
  ) async throws -> Node {
    try await onOwnThread { try open(path, configuration, log, role, options) }
  }

  /// Opens a node whose file the history continues with.
  static func openSurvivor(
    _ path: String,
    _ configuration: Configuration,
    _ log: any ReplicationLog,
    _ options: ReplicationOptions
  ) async throws -> Node {
    try await onOwnThread {
      let survivor = try Survivor.open(path, configuration, log, options)
      let node = try Node(survivor.file, log: log, role: .automatic, options: options)
      try node.begin(survivor.primacy, asSurvivor: true)
      node.startPublishing()
      NodeLoop.start(node, after: History(survivor.primacy.last), isChecked: true)
      node.watchContact()
      node.startAnnouncing()
      return node
    }
  }

  private static func onOwnThread(_ open: @escaping @Sendable () throws -> Node) async throws
    -> Node
  {
    try await Promise.value { promise in
      Thread.detachNewThread { promise.fulfil(Result { try open() }) }
    }.get()
  }

  private static func open(
    _ path: String,
    _ configuration: Configuration,
    _ log: any ReplicationLog,
    _ role: ReplicationRole,
    _ options: ReplicationOptions
  ) throws -> Node {
    let opened = try OpenedFile.open(path, configuration, log, role, options)
    let node = try Node(opened, log: log, role: role, options: options)
    let history = History(opened.place)
    if opened.isFirst, role.isCandidate {
      // A new database can be written to as soon as it is open.
      try node.claimFirst(after: history, hadContent: opened.hadContent)
    }
    node.startPublishing()
    NodeLoop.start(node, after: history, isChecked: opened.isFirst)
    node.watchContact()
    node.startAnnouncing()
    return node
  }

  /// Becomes the first primary of a history that this node has begun.
  private func claimFirst(after history: History, hadContent: Bool) throws {
    let claim = try Primacy.claim(
      log,
      after: history,
      EpochClaim(address: options.address),
      fingerprint: try pool.read { try SchemaFingerprint($0).bytes },
      time: Node.now,
      partLimit: partLimit
    )
    guard case .won(let primacy) = claim else {
      guard hadContent else { return }
      // A copy of the file has come first, and its content may differ.
      noteDamage(.init(error: .snapshotNeeded(after: .start), needed: history.last.position))
      return try noteDamageInFile()
    }
    try begin(primacy)
    // Nodes that wait for the content need not ask for it.
    if hadContent { update { $0.neededSnapshot = primacy.last.position } }
  }

  /// Ends the node, and waits for the end of its threads.
  func end() {
    guard !isClosed else { return }
    close()
    didEnd.wait()
    didEndPublishing.wait()
    didEndAnnouncing.wait()
    // A cancelled snapshot removes its copies.
    makingSnapshot.wait()
    listeners.end()
    events.end()
    events.awaitDelivery(for: .seconds(1))
  }
}
