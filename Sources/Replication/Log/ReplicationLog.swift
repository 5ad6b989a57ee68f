/// A sequence of entries that several machines append to and read: the history of a database.
///
/// The log is also the lock: an append names the last entry that its writer knows, so of several
/// writers exactly one wins each position. An engine that keeps a log promises:
///
/// - Positions are dense: 1, 2, 3, and so on. An entry never changes, and all readers get the
///   same.
/// - An entry whose append returned ``AppendOutcome/appended(_:)`` is durable, and read by every
///   call of ``entries(after:limit:waitingUpTo:)``, ``tail()`` and ``append(_:expecting:)`` that
///   begins afterwards, on every machine.
/// - Only ``trim(below:)`` takes entries away, and only from the beginning.
///
/// Calls block their thread, so they must not be made on Swift's cooperative threads. Several
/// threads may call at the same time.
public protocol ReplicationLog: Sendable {
  /// Appends an entry, if the last entry's position still is the given one.
  ///
  /// - Parameters:
  ///   - bytes: The entry.
  ///   - position: The last entry that the writer knows, or ``LogPosition/start``.
  /// - Returns: The entry's position; or that there are further entries, and nothing was appended;
  ///   or that the engine did not answer. After ``AppendOutcome/unknown(_:)`` the entry may be in
  ///   the log, or get there later as long as no other entry takes its position.
  /// - Throws: ``ReplicationLogError`` if the entry certainly is not in the log.
  func append(
    _ bytes: [UInt8],
    expecting position: LogPosition
  ) throws(ReplicationLogError) -> AppendOutcome

  /// Returns the entries after a position, in order and without gaps.
  ///
  /// - Parameters:
  ///   - position: The last entry that the reader has.
  ///   - limit: The largest number of entries. Fewer may be returned although there are more.
  ///   - timeout: How long to wait for the first entry. With zero, the call returns the entries
  ///     that are there.
  /// - Returns: The entries; none if the time is over, and the engine confirms that the log has no
  ///   further entry.
  /// - Throws: ``ReplicationLogError/trimmed(first:)`` if the next entry is gone,
  ///   ``ReplicationLogError/lost(tail:)`` if the log ends before the position.
  func entries(
    after position: LogPosition,
    limit: Int,
    waitingUpTo timeout: Duration
  ) throws(ReplicationLogError) -> [LogEntry]

  /// Returns the position of the last entry, or ``LogPosition/start`` if the log is empty.
  ///
  /// While entries come all the time, a replica asks for it once in a heartbeat interval, and for
  /// each batch of entries that may not be the last one: it shows how far it is behind.
  ///
  /// - Throws: ``ReplicationLogError``.
  func tail() throws(ReplicationLogError) -> LogPosition

  /// Returns the position of the first entry that is kept, or `nil` if no entry is kept.
  ///
  /// - Throws: ``ReplicationLogError``.
  func first() throws(ReplicationLogError) -> LogPosition?

  /// Removes the entries before a position. The last entry always stays.
  ///
  /// - Parameter position: The first entry to keep.
  /// - Throws: ``ReplicationLogError``. The entries may be gone nevertheless.
  func trim(below position: LogPosition) throws(ReplicationLogError)

  /// Returns how much space the engine uses.
  ///
  /// - Throws: ``ReplicationLogError``.
  func usage() throws(ReplicationLogError) -> LogUsage

  /// Keeps an announcement of a node for other nodes. By default, it does nothing.
  ///
  /// - Parameters:
  ///   - announcement: The bytes of the announcement: see ``NodeAnnouncement``.
  ///   - node: The node. A later announcement of the same node replaces this one.
  ///   - time: How long it is kept, by the clock of the engine.
  /// - Throws: ``ReplicationLogError``. The announcement may be kept nevertheless.
  func announce(
    _ announcement: [UInt8],
    of node: String,
    for time: Duration
  ) throws(ReplicationLogError)

  /// Removes the announcement of a node. By default, it does nothing.
  ///
  /// - Throws: ``ReplicationLogError``. The announcement may be gone nevertheless.
  func withdraw(_ node: String) throws(ReplicationLogError)

  /// Returns the announcements that are kept; by default none.
  ///
  /// - Throws: ``ReplicationLogError``.
  func announcements() throws(ReplicationLogError) -> [[UInt8]]

  /// The largest size of an entry in bytes.
  var entryLimit: Int { get }

  /// Ends the connections. Waiting calls, and later ones, throw ``ReplicationLogError/closed``.
  func close()
}

extension ReplicationLog {
  /// Does nothing: the engine keeps no announcements.
  public func announce(
    _ announcement: [UInt8],
    of node: String,
    for time: Duration
  ) throws(ReplicationLogError) {}

  /// Does nothing: the engine keeps no announcements.
  public func withdraw(_ node: String) throws(ReplicationLogError) {}

  /// Returns nothing: the engine keeps no announcements.
  public func announcements() throws(ReplicationLogError) -> [[UInt8]] { [] }
}
