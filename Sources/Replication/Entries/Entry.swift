/// One step in the history of a replicated database, as it is in the log.
///
/// The binary form ends with the SHA-256 hash of all that comes before it. That hash is the
/// checksum of the entry, and the next entry names it: so entries form a chain with one history.
struct Entry: Hashable, Sendable {
  /// The kind of an entry.
  enum Kind: Hashable, Sendable {
    /// The database begins. If its first file had content, the body says so, and all other files
    /// need a snapshot.
    case genesis
    /// A node becomes the primary, and a new epoch begins. The body is the node's address.
    case epoch
    /// Transactions were committed. The body is an ``EntryBatch``.
    case commits
    /// A part of the body of ``commits`` that is too large for one entry. The first part is 0.
    case part(index: UInt32, count: UInt32)
    /// A transaction changed the schema. The body is an ``EntryBatch``.
    case schema
    /// A transaction cannot be repeated elsewhere. The body says why. Replicas need a snapshot.
    case snapshotNeeded
    /// The primary is alive.
    case heartbeat
    /// An operator has chosen the file that the history continues with, and a new epoch begins. The
    /// body is the node's address. Replicas need a snapshot.
    case survivor

    /// Whether a file can only get past the entry by a snapshot.
    var needsSnapshot: Bool { self == .snapshotNeeded || self == .survivor }
  }

  /// The database that the entry belongs to.
  var database: DatabaseID
  /// How many primaries there have been. Each one begins its epoch with an entry.
  var epoch: Int64
  /// The number of the last commit that the entry contains, or that comes before it.
  var commit: Int64
  /// The hash of the entry before.
  var previous: EntryHash
  /// The schema after the entry, as bytes that are only compared; at most 255.
  var fingerprint: [UInt8]
  /// The time of the primary's clock, in milliseconds since 1970. Only for people: nothing is
  /// decided by it.
  var time: Int64
  var kind: Kind
  var body: [UInt8]
}
