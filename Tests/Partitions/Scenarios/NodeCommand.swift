/// A command of the lab to a node.
enum NodeCommand: Codable, Sendable {
  /// Answers when the node is open.
  case open
  /// Writes rows, each in a transaction of its own.
  case write(WriteOrder)
  case status
  /// Answers with the ids of all rows.
  case rows
  /// Waits until the node has the last entry of the log, and answers with the ids of all rows then.
  case waitForLatest(milliseconds: Int)
  /// Makes a snapshot, and trims the log.
  case trim
  /// Ends the node in order.
  case close
}

/// Rows to write.
struct WriteOrder: Codable, Sendable {
  /// The id of the first row. The ids of the other rows follow it.
  var first: Int
  var count = 1
  /// How many bytes each row has.
  var size = 10
  /// How many callers write at the same time, each one row after the other.
  var callers = 1
  /// After how many errors in a row a caller ends.
  var errorLimit = 1
  /// How many milliseconds a caller waits after each write.
  var pause = 0
  /// Whether a write with the promise `.local` waits until the log has it.
  var waitsForLog = true
}

/// A command with a number, which its answer has too.
struct NumberedCommand: Codable, Sendable {
  var number: Int
  var command: NodeCommand
}

/// An answer of a node.
struct NodeAnswer: Codable, Sendable {
  var number = 0
  /// Why the node did not do it.
  var error: String?
  /// How long it took.
  var milliseconds = 0.0
  var status: NodeStatus?
  var rows: [Int]?
  var writes: [WriteResult]?
}

/// The part of a node's status that scenarios read.
struct NodeStatus: Codable, Sendable {
  /// `primary`, `replica`, `needsSnapshot` or `stopped`.
  var role: String
  /// Why the node is `needsSnapshot` or `stopped`.
  var reason: String?
  var epoch: Int64
  var applied: Int64
  var isConnected: Bool
  var lag: Int64?
  var outbox: Int
  var lastError: String?
  var isLastErrorOver: Bool
  var discardedCommits: String?
  // In seconds.
  var lastContact: Double?
  var dataAge: Double?
  var delay: Double?
  var snapshotAge: Double?
  /// How often the store of snapshots was asked to keep one.
  var uploads: Int

  /// Whether it claims to know where the log ends, or to be the primary.
  var claimsKnowledge: Bool { role == "primary" || isConnected || lag != nil }
}

/// The outcome of a write.
struct WriteResult: Codable, Sendable {
  enum Outcome: String, Codable, Sendable {
    case acknowledged
    /// Nothing was written.
    case refused
    /// The log may have it.
    case unknown
    /// The file has it, and the log does not have it yet.
    case notLogged
    /// A failover has discarded it.
    case discarded
  }

  var id: Int
  var outcome: Outcome
  /// How long the caller waited.
  var milliseconds: Double
  /// When the caller had its answer, in seconds of the monotonic clock.
  var end: Double
  var error: String?
}
