import Testing

@testable import Replication

/// Begins a history in an empty log.
///
/// - Returns: The history after its first entry.
func beginHistory(in log: any ReplicationLog) throws -> History {
  let (bytes, _) = EntryWriter.genesis(DatabaseID(), fingerprint: [1], time: 0)
  #expect(try log.append(bytes, expecting: .start) == .appended(.start.next))
  let first = try #require(try log.entries(after: .start, limit: 1, waitingUpTo: .zero).first)
  return try History.genesis(first)
}

/// Becomes the primary of a log.
///
/// - Throws: A failed requirement if another node won.
func wonPrimacy(
  of log: any ReplicationLog,
  after history: History,
  partLimit: Int = EntryWriter.partByteCount
) throws -> Primacy {
  let claim = try Primacy.claim(
    log,
    after: history,
    EpochClaim(address: "one:1"),
    fingerprint: [1],
    time: 0,
    partLimit: partLimit
  )
  guard case .won(let primacy) = claim else { throw LostClaim() }
  return primacy
}

/// Another node won.
struct LostClaim: Error {}

extension Primacy {
  /// Appends transactions, as a commit of a group does.
  mutating func commit(_ transactions: [UInt8]...) throws(ReplicationError) -> HistoryPosition {
    try append(
      .commits,
      body: EntryBatch(transactions: transactions).encoded(),
      commits: Int64(transactions.count),
      fingerprint: [1],
      time: 0
    )
  }
}

extension LogFollower {
  /// Returns the transactions of the next steps.
  mutating func nextTransactions() throws -> [[UInt8]] {
    try next(limit: 100, waitingUpTo: .zero).flatMap { step in
      step.entry.kind == .commits ? try EntryBatch.decode(step.entry.body).transactions : []
    }
  }
}
