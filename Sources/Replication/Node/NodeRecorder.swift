internal import Recording
internal import Storage

/// Gets the recorded transactions of a node's writer: the log must have each one before it is
/// committed.
///
/// It belongs to the connection that writes: only its accesses use it.
final class NodeRecorder: TransactionRecorderDelegate, @unchecked Sendable {
  // Safe to share: the accesses of one connection run one after the other.
  weak var node: Node?
  /// The place of the file after the commit that the log has.
  private var next: HistoryPosition?
  private var nextTime: Int64 = 0
  private var nextNeedsSnapshot = false
  /// The number of the commit in the outbox, if the log gets it later.
  private var outboxNumber: Int64?
  /// A commit that the log has, and that SQLite has refused.
  private var lostCommit: WriteToken?
  /// The last schema, and its number. Undone changes of a schema may give a number twice.
  private var schema: (number: [Int64], fingerprint: [UInt8])?

  func willCommit(_ transaction: RecordedTransaction, _ db: Database) throws {
    guard let node else { throw ReplicationError.closed }
    do {
      let reason = transaction.snapshotReason
      (next, outboxNumber) = (nil, nil)
      switch try node.append(
        transaction,
        snapshotReason: reason,
        fingerprint: fingerprint(db),
        db
      ) {
      case .logged(let place): next = place
      case .kept(let number): outboxNumber = number
      }
      nextTime = Node.now
      nextNeedsSnapshot = reason != nil
    } catch {
      forgetFailure()
      throw error
    }
  }

  func didCommit(_ db: Database) {
    guard let node else { return }
    guard let place = next else {
      if let number = outboxNumber { node.didCommitLocally(number) }
      outboxNumber = nil
      return
    }
    next = nil
    node.didCommit(place, time: nextTime, needsSnapshot: nextNeedsSnapshot)
  }

  func didRollBack(_ db: Database) {
    forgetFailure()
    outboxNumber = nil
    guard let node, let place = next else { return }
    next = nil
    lostCommit = place.token
    node.didLoseCommit()
  }

  func contentWasReplaced(_ db: Database) {
    schema = nil
    guard let node else { return }
    node.contentWasReplaced()
  }

  /// Returns the error of a write that SQLite has refused: the log may have it.
  func error(after error: any Error) -> any Error {
    defer { lostCommit = nil }
    return lostCommit.map { ReplicationError.outcomeUnknown($0) } ?? error
  }

  /// The transaction, or the schema that it has made, is gone.
  func forgetFailure() { schema = nil }

  /// Returns the fingerprint of the schema.
  func fingerprint(_ db: Database) throws -> [UInt8] {
    let number = try db.schemaChangeNumber()
    if let schema, schema.number == number { return schema.fingerprint }
    let fingerprint = try SchemaFingerprint(db).bytes
    schema = (number, fingerprint)
    return fingerprint
  }

  func foreignCommitWasFound(_ db: Database) throws {
    forgetFailure()
    node?.noteForeignWrite()
    throw ReplicationError.foreignWrite
  }
}
