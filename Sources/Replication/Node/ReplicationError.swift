/// Why a call of a node of a replicated database failed.
public enum ReplicationError: Error, Hashable, Sendable {
  /// The node is not the primary, or has just ceased to be it. Nothing was written. The address is
  /// the primary's, if the node knows it.
  case notPrimary(address: String?)

  /// The log did not say whether it has the write. The node has rolled the write back, and applies
  /// it if the log has it: a node that contains the token tells.
  case outcomeUnknown(WriteToken)

  /// A failover has discarded the write of a token.
  case discardedToken(WriteToken)

  /// The time to wait for a token is over.
  case timeout

  /// The log does not have the entries after the position, and the node needs a snapshot. The
  /// position is 0 if the entries alone do not make the content of the database, or if the node has
  /// no place for snapshots.
  case snapshotNeeded(after: LogPosition)

  /// The file is not a replica: it has no place in the history of a log.
  case notReplicated

  /// The log has lost entries, from the given one on. An operator must choose the node whose file
  /// the history continues with.
  case logLost(from: LogPosition)

  /// The entries of the log do not continue the history of the node, whenever the node asks.
  case history(HistoryError)

  /// The log failed. Nothing was written.
  case log(ReplicationLogError)

  /// A step of the history cannot be repeated: the file does not have the expected content. The
  /// text says why.
  case diverged(String)

  /// Another connection than the node's has written to the file. Its changes are in no other file.
  case foreignWrite

  /// The file has content of its own, and the log has the history of another database.
  case foreignFile

  /// Too many commits wait for the log, or for too long: with ``ReplicationPromise/local``, as many
  /// as ``ReplicationOptions/largestOutbox`` allows, or for longer than
  /// ``ReplicationOptions/longestOutboxTime``, and with ``ReplicationPromise/logged``, any.
  /// Nothing was written.
  case outboxIsFull

  /// With ``ReplicationPromise/local``, the write is in the file of this node, and the log does not
  /// have it yet. The text says why. The log gets it when the node can append again, unless another
  /// node becomes the primary first: then it is in the file that
  /// ``ReplicationStatus/discardedCommits`` names.
  case notLogged(String)

  /// The log has another history than the commits of this file that it did not have. They are in
  /// the file that ``ReplicationStatus/discardedCommits`` names.
  case discardedCommits

  /// An operator has continued the history with the file of another node, at the given entry.
  /// Content that only this file has is in no other file.
  case otherSurvivor(LogPosition)

  /// The changed rows of a transaction have more bytes than
  /// ``ReplicationOptions/largestTransaction`` allows. Nothing was written.
  case transactionTooLarge(bytes: Int, limit: Int)

  /// A call of the ``SnapshotStore`` has taken longer than ``ReplicationOptions/storeTimeout``.
  case storeTimeout(Duration)

  /// A snapshot cannot be used. The text says why.
  case damagedSnapshot(String)

  /// Another process is the node of the file already, or another node of this process is. The text
  /// names it.
  case fileInUse(String)

  /// Another write, which was committed together with this one, has rolled back the transaction, as
  /// `ON CONFLICT ROLLBACK` does. Nothing was written.
  case groupWasUndone

  /// The node was closed.
  case closed
}

extension ReplicationError: CustomStringConvertible {
  /// The error, and the next step of the caller or the operator.
  public var description: String {
    switch self {
    case .notPrimary(let address?):
      "This node is not the primary, and nothing was written. The primary is \(address)."
    case .notPrimary(nil):
      "This node is not the primary, and nothing was written. It does not know the primary yet."
    case .outcomeUnknown(let token):
      "The log did not say whether it has the write: wait for token "
        + "\(token.epoch).\(token.sequence)."
    case .discardedToken(let token):
      "A failover has discarded the write of token \(token.epoch).\(token.sequence)."
    case .timeout: "The node has not reached the token in time."
    case .snapshotNeeded(.start):
      "A snapshot is needed: set ReplicationOptions.snapshots on all nodes, and wait until the "
        + "primary has made one."
    case .snapshotNeeded(let position):
      "The log no longer has the entries after \(position): the node needs a snapshot."
    case .notReplicated: "The file is not part of a replicated database yet."
    case .logLost(let position):
      "The log has lost entry \(position) and those after it: choose the node to continue with, "
        + "and open it with ReplicatedDatabase(survivor:log:)."
    case .history(let error): error.description
    case .log(let error): error.description
    case .diverged(let reason): "The file differs from the history of the log: \(reason)."
    case .foreignWrite:
      "Another connection has written to the file of this node: the file needs a snapshot."
    case .foreignFile:
      "The file has content that is not part of the history of the log: begin with an empty file."
    case .outboxIsFull: "Too many commits wait for the log, and nothing was written."
    case .notLogged(let reason):
      "The write is in the file of this node, and the log does not have it yet: \(reason)"
    case .discardedCommits:
      "A failover has discarded commits of this node: the file needs a snapshot."
    case .otherSurvivor(let position):
      "The history continues at entry \(position) with the file of another node: this file needs a "
        + "snapshot."
    case .transactionTooLarge(let bytes, let limit):
      "The changed rows of the transaction have \(bytes) bytes, and may have \(limit): divide it, or "
        + "set ReplicationOptions.largestTransaction."
    case .storeTimeout(let limit):
      "The store of snapshots has not answered for \(limit): look whether it works, or set a longer "
        + "ReplicationOptions.storeTimeout."
    case .damagedSnapshot(let reason): "A snapshot cannot be used: \(reason)."
    case .fileInUse(let owner): "The file has a node already, in \(owner): end that one first."
    case .groupWasUndone:
      "A write that was committed together with this one has rolled both back: try again."
    case .closed: "The node was closed."
    }
  }
}

extension ReplicationError {
  /// Asks a log, whose errors become ``log(_:)``.
  static func asking<Answer>(
    _ ask: () throws(ReplicationLogError) -> Answer
  ) throws(ReplicationError) -> Answer {
    do throws(ReplicationLogError) {
      return try ask()
    } catch {
      throw .log(error)
    }
  }
}
