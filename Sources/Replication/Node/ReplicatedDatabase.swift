public import Storage

/// A database whose history is in a log, so that nodes on other machines have the same content.
///
///     let node = try await ReplicatedDatabase(
///       path: "/var/lib/shop/shop.sqlite",
///       log: EtcdLog(endpoints: ["http://10.0.0.1:2379"], database: "shop")
///     )
///     try await node.write { db in
///       try db.execute(sql: "UPDATE item SET price = price + 1")
///     }
///
/// One node is the primary and writes; the other nodes follow it. All nodes read and observe like a
/// `DatabasePool`, and observations of a node run for the changes of a commit, wherever it was
/// made.
///
/// A write is in the log before it is in any file: a node never takes back content that it has
/// shown. So a write costs a round trip to the log, and concurrent writes share one.
///
/// A write on a node that is not the primary throws ``ReplicationError/notPrimary(address:)``.
///
/// The file belongs to the node. Other connections may read it, and must not write to it. A lock on
/// a file beside it, whose name ends with `-node`, keeps a second node from opening it.
public final class ReplicatedDatabase: DatabaseWriter, ForwardingReader {
  let node: Node
  let writes: WriteGroup

  /// The database behind the node, for observations.
  package var forwardingTarget: any DatabaseReader { node.pool }

  /// Opens a node.
  ///
  /// An empty log becomes the log of this database. A file that does not exist gets the content
  /// that the log has. A file that was part of the history before is opened without the log, and
  /// continues from its place as soon as the log answers: reads work also when the log is away, has
  /// lost entries or refuses the node. ``status`` then says why.
  ///
  /// - Parameters:
  ///   - path: The file of the node.
  ///   - log: The log, which the node closes when it is closed.
  ///   - role: Whether the node may become the primary.
  ///   - configuration: The configuration of the connections.
  ///   - options: How the node works.
  /// - Throws: ``ReplicationError/fileInUse(_:)`` if another process is a node of the file, another
  ///   ``ReplicationError``, or an error of opening a `DatabasePool`.
  public init(
    path: String,
    log: some ReplicationLog,
    role: ReplicationRole = .automatic,
    configuration: Configuration = Configuration(),
    options: ReplicationOptions = ReplicationOptions()
  ) async throws {
    node = try await Node.open(path, configuration, log, role, options)
    writes = WriteGroup(node)
  }

  /// Opens the node whose file the history continues with, whatever the log has.
  ///
  /// An operator does this when no node can continue: after ``ReplicationError/logLost(from:)``, or
  /// when a primary has ended before its transaction that cannot be repeated was in a snapshot.
  /// Compare the ``ReplicationStatus/applied`` of the nodes, and take the node that has the most.
  ///
  /// The node becomes the primary of a new epoch, and makes a snapshot, which all other nodes take.
  /// Nodes that have stopped take it when they are opened the next time. If such a file has content
  /// that the survivor does not have, a copy of it is kept beside it, and tokens of that content
  /// count as discarded. A log that is empty becomes a log of the database again.
  ///
  /// - Parameters:
  ///   - path: The file of the node, which has been part of the history.
  ///   - log: The log, which the node closes when it is closed.
  ///   - configuration: The configuration of the connections.
  ///   - options: How the node works. It needs ``ReplicationOptions/snapshots``.
  /// - Throws: ``ReplicationError/notPrimary(address:)`` if another node writes,
  ///   ``ReplicationError/notReplicated`` if the file was no part of a history,
  ///   ``ReplicationError/snapshotNeeded(after:)`` without a place for snapshots, or an error of
  ///   opening a `DatabasePool`.
  public init(
    survivor path: String,
    log: some ReplicationLog,
    configuration: Configuration = Configuration(),
    options: ReplicationOptions
  ) async throws {
    node = try await Node.openSurvivor(path, configuration, log, options)
    writes = WriteGroup(node)
  }

  deinit { node.close() }

  /// The role of the node, and its progress.
  public var status: ReplicationStatus { node.status }

  /// The status now, and after each change. A loop that is slow gets the newest one.
  public var statusUpdates: some AsyncSequence<ReplicationStatus, Never> & Sendable {
    node.listeners.stream { [node] in node.status }
  }

  /// The events of the node since it was opened, and from now on: elections, lost connections,
  /// damage, snapshots, discarded commits.
  ///
  ///     for await event in node.events { print(event) }
  ///
  /// A loop gets all events, also if it is slow, and first the last thousand of the earlier events.
  /// It ends when the node is closed. For an instrument, see ``ReplicationOptions/instruments``.
  public var events: some AsyncSequence<ReplicationEvent, Never> & Sendable {
    node.events.stream()
  }

  /// A token for all entries that the node has applied: a node that contains it shows nothing older
  /// than the present content of this node.
  public var lastToken: WriteToken { node.token }

  /// Waits until the node contains a write.
  ///
  ///     let token = try await primary.writeReturningToken { db in … }.token
  ///     try await replica.wait(until: token, timeout: .seconds(2))
  ///
  /// - Throws: ``ReplicationError/timeout`` when the time is over,
  ///   ``ReplicationError/discardedToken(_:)`` when a failover has discarded the write, another
  ///   ``ReplicationError`` when the node has stopped following, or `CancellationError`.
  public func wait(until token: WriteToken, timeout: Duration) async throws {
    try await node.wait(until: token, timeout: timeout)
  }

  /// Waits until the node contains all writes that had returned anywhere when the call began.
  ///
  ///     try await node.waitForLatest(timeout: .seconds(2))
  ///     let count = try await node.read { db in try Item.fetchCount(db) }
  ///
  /// A read after it shows nothing older, on each node: it is linearizable. A majority of the log's
  /// servers confirms where the log ends. A read alone, or a write that changes nothing, does not
  /// ask for this: a primary that was cut off shows its last known content. Writes with
  /// ``ReplicationPromise/local`` return before the log has them, and are not waited for.
  ///
  /// - Throws: ``ReplicationError/timeout`` when the time is over, ``ReplicationError/log(_:)`` if
  ///   the log does not answer, another ``ReplicationError``, or `CancellationError`.
  public func waitForLatest(timeout: Duration) async throws {
    try await node.waitForLatest(timeout: timeout)
  }

  /// Makes a snapshot of this node now, and trims the log below it, whatever
  /// ``ReplicationOptions/entriesPerSnapshot`` says.
  ///
  /// An operator calls it when the log has no space left, or before a node is added that would read
  /// a long log. Each node whose file has all entries of the log can do it.
  ///
  /// - Returns: The last entry in the snapshot. ``ReplicationOptions/keptEntries`` before it stay.
  /// - Throws: ``ReplicationError/snapshotNeeded(after:)`` without a ``SnapshotStore``, another
  ///   ``ReplicationError``, or the error of the store. The log has all entries then, except the
  ///   entries below a snapshot that was checked.
  @discardableResult
  public func trimLog() async throws -> LogPosition { try await node.trimLog() }

  /// Ends the primacy of this node, so that another one becomes the primary at once.
  ///
  ///     if node.status.role == .primary { try await node.resign() }
  ///
  /// Call it before a machine is taken away, so that writes continue elsewhere without waiting for
  /// ``ReplicationOptions/electionTimeout``. With ``ReplicationPromise/local``, it first waits
  /// until the log has all commits. This node becomes the primary again only if no other node does.
  ///
  /// - Throws: ``ReplicationError/notPrimary(address:)`` on a node that is not the primary,
  ///   ``ReplicationError/outboxIsFull`` or ``ReplicationError/notLogged(_:)`` if the log does not
  ///   get all commits, or another ``ReplicationError``.
  public func resign() async throws { try await node.handOver() }

  /// Ends the node: its threads, its connections and the log. Later accesses fail.
  ///
  /// A primary first ends its primacy like ``resign()``, so that another node need not wait to
  /// become the primary. If the log does not answer within a second, it is closed without that.
  ///
  /// A snapshot that is being made or taken is cancelled, and its unfinished copy beside the file
  /// is removed. The tasks that call the ``SnapshotStore`` are cancelled. When a store continues
  /// nevertheless, this method waits two seconds for it.
  ///
  /// - Throws: The errors of closing a `DatabasePool`.
  public func close() throws {
    guard node.pool.lentWriter == nil else { return try node.pool.close() }
    let wait = node.handOverBeforeClosing()
    node.withdraw()
    node.end()
    wait()
    try node.closeFile()
  }
}
