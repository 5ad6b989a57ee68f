/// The right of a node to append to the log, from the epoch that it won to the first doubt.
///
/// The log is the lock: each append names the last entry that the primary has written, and any
/// other answer than its place ends the primacy. A primary never reads the tail to continue from
/// there, because it would continue a history that it does not know. One thread at a time uses a
/// value.
struct Primacy: Sendable {
  private let log: any ReplicationLog
  private var writer: EntryWriter
  /// Whether the node still is the primary.
  private(set) var isHeld = true

  /// The schema after the last entry.
  private(set) var fingerprint: [UInt8]

  /// The last entry of the primary.
  var last: HistoryPosition { writer.last }

  private init(log: any ReplicationLog, writer: EntryWriter, fingerprint: [UInt8]) {
    self.log = log
    self.writer = writer
    self.fingerprint = fingerprint
  }

  /// The outcome of a claim.
  enum Claim {
    /// The node is the primary.
    case won(Primacy)
    /// Another entry came first. The node must read it before it claims again.
    case lost
  }

  /// Tries to become the primary, by an entry that begins the next epoch.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - history: The entries that the node has read. All must be in its file.
  ///   - claim: Who the node is.
  ///   - fingerprint: The schema of the node's file.
  ///   - time: The time of the node's clock, in milliseconds since 1970.
  ///   - partLimit: The largest body of one entry.
  ///   - attempts: How often to ask again when the log does not answer.
  /// - Returns: Whether the node is the primary now.
  /// - Throws: ``ReplicationError/log(_:)``. The claim may be in the log nevertheless. It does no
  ///   harm there: the node reads it like a claim of another node.
  static func claim(
    _ log: any ReplicationLog,
    after history: History,
    _ claim: EpochClaim,
    fingerprint: [UInt8],
    time: Int64,
    partLimit: Int = EntryWriter.partByteCount,
    attempts: Int = 3
  ) throws(ReplicationError) -> Claim {
    let writer = EntryWriter(after: history.last, partLimit: partLimit)
    let made = writer.entries(
      .epoch,
      body: claim.encoded(),
      fingerprint: fingerprint,
      time: time
    )[0]
    return try self.claim(log, by: made, writer, fingerprint, attempts)
  }

  /// Tries to become the primary of a history that continues with a file, whatever the log has.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - last: The last entry of the log.
  ///   - place: The place of the file.
  ///   - claim: Who the node is.
  ///   - fingerprint: The schema of the file.
  ///   - time: The time of the node's clock, in milliseconds since 1970.
  ///   - partLimit: The largest body of one entry.
  ///   - attempts: How often to ask again when the log does not answer.
  /// - Returns: Whether the node is the primary now.
  /// - Throws: ``ReplicationError/log(_:)``.
  static func claim(
    _ log: any ReplicationLog,
    after last: HistoryPosition,
    withFileAt place: HistoryPosition,
    _ claim: EpochClaim,
    fingerprint: [UInt8],
    time: Int64,
    partLimit: Int,
    attempts: Int = 3
  ) throws(ReplicationError) -> Claim {
    let writer = EntryWriter(after: last, partLimit: partLimit)
    let made = writer.survivor(
      at: place,
      body: claim.encoded(),
      fingerprint: fingerprint,
      time: time
    )
    return try self.claim(log, by: made, writer, fingerprint, attempts)
  }

  private static func claim(
    _ log: any ReplicationLog,
    by made: (bytes: [UInt8], place: HistoryPosition),
    _ writer: EntryWriter,
    _ fingerprint: [UInt8],
    _ attempts: Int
  ) throws(ReplicationError) -> Claim {
    var writer = writer
    let last = writer.last.position
    var reason = ""
    for _ in 0..<max(1, attempts) {
      let outcome = try ReplicationError.asking { () throws(ReplicationLogError) in
        try log.append(made.bytes, expecting: last)
      }
      switch outcome {
      case .appended(let position):
        guard position == made.place.position else { return .lost }
      case .conflict:
        // The entry in that place may be this claim, after an answer that was lost.
        let found = try ReplicationError.asking { () throws(ReplicationLogError) in
          try log.entries(after: last, limit: 1, waitingUpTo: .zero)
        }
        guard found.first?.position == made.place.position, found.first?.bytes == made.bytes else {
          return .lost
        }
      case .unknown(let text):
        reason = text
        continue
      }
      writer.advance(to: made.place)
      return .won(Primacy(log: log, writer: writer, fingerprint: fingerprint))
    }
    throw .log(.unavailable(reason))
  }

  /// A step that is ready to be appended. Its place is known before the log has it.
  struct Prepared {
    fileprivate let entries: [(bytes: [UInt8], place: HistoryPosition)]
    fileprivate let fingerprint: [UInt8]

    /// The place of a file after the step.
    var place: HistoryPosition { entries[entries.count - 1].place }
  }

  /// Makes the entries of the next step. Another append makes them useless.
  ///
  /// - Parameters:
  ///   - kind: The kind of the entry.
  ///   - body: The whole body, which is divided when it is large.
  ///   - commits: How many commits it contains.
  ///   - fingerprint: The schema after them.
  ///   - time: The time of the node's clock, in milliseconds since 1970.
  /// - Returns: The step.
  /// - Throws: ``ReplicationError/notPrimary(address:)``.
  func prepare(
    _ kind: Entry.Kind,
    body: [UInt8] = [],
    commits: Int64 = 0,
    fingerprint: [UInt8],
    time: Int64
  ) throws(ReplicationError) -> Prepared {
    guard isHeld else { throw .notPrimary(address: nil) }
    return Prepared(
      entries: writer.entries(
        kind,
        body: body,
        commits: commits,
        fingerprint: fingerprint,
        time: time
      ),
      fingerprint: fingerprint
    )
  }

  /// Appends a step of the history: see ``prepare(_:body:commits:fingerprint:time:)``.
  mutating func append(
    _ kind: Entry.Kind,
    body: [UInt8] = [],
    commits: Int64 = 0,
    fingerprint: [UInt8],
    time: Int64
  ) throws(ReplicationError) -> HistoryPosition {
    try append(
      prepare(kind, body: body, commits: commits, fingerprint: fingerprint, time: time)
    )
  }

  /// Appends a step of the history.
  ///
  /// - Returns: The place after it.
  /// - Throws: ``ReplicationError``. After ``ReplicationError/log(_:)`` with ``isHeld`` still set,
  ///   the entry is not in the log, and the primary may continue. After all other errors the node
  ///   is a replica.
  mutating func append(_ prepared: Prepared) throws(ReplicationError) -> HistoryPosition {
    guard isHeld else { throw .notPrimary(address: nil) }
    let steps = prepared.entries
    for (index, step) in steps.enumerated() {
      let isLast = index == steps.count - 1
      let outcome: AppendOutcome
      do throws(ReplicationLogError) {
        outcome = try log.append(step.bytes, expecting: writer.last.position)
      } catch {
        // A new epoch discards the parts that are in the log, so the primary cannot continue here.
        if index > 0 { isHeld = false }
        throw .log(error)
      }
      switch outcome {
      case .appended(step.place.position):
        writer.advance(to: step.place)
      case .appended, .conflict:
        isHeld = false
        throw .notPrimary(address: nil)
      case .unknown(let reason):
        isHeld = false
        // Without its last part, a transaction is in no file.
        guard isLast else { throw .log(.unavailable(reason)) }
        throw .outcomeUnknown(step.place.token)
      }
    }
    fingerprint = prepared.fingerprint
    return writer.last
  }

  /// Gives the primacy up.
  mutating func end() { isHeld = false }
}
