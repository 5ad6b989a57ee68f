/// How a node of a replicated database works.
public struct ReplicationOptions: Sendable {
  /// Where other nodes and clients reach this node: a write on another node reports it with
  /// ``ReplicationError/notPrimary(address:)``, a ``WriteForwarder`` sends writes there, and
  /// `wellspring-replicas --node` names a node by it. Each node has another one.
  public var address = ""

  /// How long a primary that writes nothing waits before it says in the log that it is alive.
  public var heartbeatInterval = Duration.seconds(1)

  /// How long a node receives nothing from the primary before it tries to become the primary. A
  /// random part of up to a tenth is added, so that nodes try one after the other, most likely
  /// ``ReplicationRole/preferred`` nodes first.
  ///
  /// A primary whose log does not answer for that long ceases to be it, and a node whose log does
  /// not answer for that long claims to know nothing of it.
  ///
  /// A time that is too short costs needless elections. It never costs a write.
  public var electionTimeout = Duration.seconds(5)

  /// When a write returns.
  public var promise = ReplicationPromise.logged

  /// How many commits may wait for the log with ``ReplicationPromise/local``. Writes throw
  /// ``ReplicationError/outboxIsFull`` beyond it.
  public var largestOutbox = 10_000

  /// How long commits may wait for the log with ``ReplicationPromise/local``. Writes throw
  /// ``ReplicationError/outboxIsFull`` when the log has taken no commit for longer.
  public var longestOutboxTime = Duration.seconds(60)

  /// How many concurrent writes may share one entry of the log.
  public var largestGroup = 64

  /// How many bytes the changed rows of one transaction may have. A larger one throws
  /// ``ReplicationError/transactionTooLarge(bytes:limit:)``: all nodes hold it in memory.
  public var largestTransaction = 256 * 1024 * 1024

  /// Where snapshots are kept. Without it, the log is never trimmed, and a node that cannot follow
  /// the log stops.
  public var snapshots: SnapshotStore?

  /// How long the store of snapshots may take for one call, such as the upload of a snapshot. The
  /// task of the call is cancelled then, and the node tries again later.
  public var storeTimeout = Duration.seconds(600)

  /// After how many entries the primary makes the next snapshot.
  public var entriesPerSnapshot = 10_000

  /// How many entries before the newest snapshot stay in the log, for nodes that are a little
  /// behind.
  public var keptEntries = 1_000

  /// How often a node announces itself to the other nodes, which list it with
  /// ``ReplicationLog/nodes()``. A node that changes its role announces that at once.
  ///
  /// An announcement costs etcd a small write, and a lease that is made and ends; etcd keeps it for
  /// four intervals. With zero, the node is not announced: `wellspring-replicas` does not show it,
  /// and neither it nor other nodes follow ``ReplicationRole/preferred`` on its account. So it is
  /// with an engine that keeps no announcements.
  public var announcementInterval = Duration.seconds(5)

  /// How often the instruments receive the status; never with zero.
  public var statusInterval = Duration.seconds(5)

  /// The receivers of the node's status and events.
  public var instruments: [any ReplicationInstrument] = []

  /// How long the primary keeps the id of a forwarded write, by its clock, so that a repeated
  /// request is not run again. A request that comes later is refused, and writes nothing. Use the
  /// same time on all nodes, and a longer one than the timeouts of ``WriteForwarder`` and of its
  /// clients.
  public var keptRequestTime = Duration.seconds(86_400)

  /// How many bytes the request of a forwarded write may have.
  public var largestRequest = 1024 * 1024

  /// Makes the default options.
  public init() {}
}
