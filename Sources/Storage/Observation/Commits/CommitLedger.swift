internal import WellspringSystem

/// The book of one file's commits: their numbers, which of them are under way, and which of the
/// commits that the WAL's index counts are known.
///
/// It is a pure value. ``FileCommits`` keeps it under a lock, feeds it the indexes that connections
/// read, and acts on its answers.
///
/// A commit of this process passes through three stages: it *begins* (the commit hook fires, under
/// SQLite's write lock), it becomes *visible* to other connections, and it *ends* (the statement
/// has returned; the commit gets its number). While it is visible and has not ended, another
/// connection can take the write lock and read an index that counts one commit more than the known
/// index. That commit is foreign, unless a commit of this process is under way that started from
/// the known index.
struct CommitLedger {
  /// Where the numbering stands.
  struct Position: Equatable {
    /// The number of the last commit that has ended.
    let number: CommitNumber
    /// How many commits are under way: a snapshot that is taken now may contain them or not.
    let pendingCount: Int
  }

  /// The result of comparing an index: whether there are foreign commits.
  enum Finding {
    /// It counts known commits only.
    case known
    /// It counts commits that are not known.
    case foreign
    /// A commit of this process began or ended while the index was read: read it again.
    case overtaken
  }

  /// The result of the end of a commit.
  struct Ending {
    /// The number of the commit.
    let number: CommitNumber
    /// ``CommitLedger/schemaChanges`` after this commit.
    let schemaChanges: UInt64
    /// Whether a foreign commit was counted as this one.
    let wasMistaken: Bool
  }

  /// A commit that is under way and writes the file itself, so that the WAL's index counts it.
  private struct Write {
    let writer: ObjectIdentifier
    /// The index before the commit.
    let before: WALIndex
    /// Whether the next commit in the index was counted as this one.
    var isTakenAsKnown = false
  }

  private var number = CommitNumber.none
  private var pendingCount = 0
  /// How often foreign commits are being read or announced.
  private var readings = 0
  /// The writes under way. A second one can begin while the first one is visible and has not ended.
  private var writes: [Write] = []
  /// The index after the last known commit; `nil` while no index is read.
  private var index: WALIndex?

  /// How many commits of this process have ended.
  private(set) var ownCommits: UInt64 = 0
  /// How many commits may have changed the schema.
  private(set) var schemaChanges: UInt64 = 0
  /// How many of ``schemaChanges`` were commits of this process, or were counted as one.
  private(set) var ownSchemaChanges: UInt64 = 0
  /// How often ``adopt(_:)`` has made an index the known one without comparing it.
  private(set) var adoptions: UInt64 = 0

  var position: Position { Position(number: number, pendingCount: pendingCount + readings) }

  /// Whether an index is known.
  var hasIndex: Bool { index != nil }

  // MARK: Commits of this process

  /// A commit begins.
  ///
  /// - Parameters:
  ///   - index: The index before the commit; `nil` when the file has no index.
  ///   - writer: The connection, if it writes the file itself and therefore holds the write lock;
  ///     `nil` if it writes attached files only.
  /// - Returns: Whether unknown foreign commits precede it.
  mutating func begin(_ index: WALIndex?, writer: ObjectIdentifier?) -> Bool {
    pendingCount += 1
    guard let writer else { return false }
    let followsForeignCommits = take(index)
    if let index { writes.append(Write(writer: writer, before: index)) }
    return followsForeignCommits
  }

  /// A commit that began has succeeded.
  ///
  /// - Parameters:
  ///   - index: The index after the commit, which may count further commits.
  ///   - hasWritten: Whether the commit has written the WAL.
  ///   - writer: The writer with which the commit began.
  ///   - mayChangeSchema: Whether the commit may have changed the schema.
  /// - Returns: Its number, and the result of its end.
  mutating func end(
    _ index: WALIndex?,
    hasWritten: Bool,
    writer: ObjectIdentifier?,
    mayChangeSchema: Bool
  ) -> Ending {
    number = number.next
    ownCommits += 1
    pendingCount -= 1
    let wasMistaken = endWrite(by: writer, hasWritten: hasWritten, after: index)
    if mayChangeSchema {
      schemaChanges += 1
      ownSchemaChanges += 1
    }
    return Ending(number: number, schemaChanges: schemaChanges, wasMistaken: wasMistaken)
  }

  /// A commit that began has failed.
  ///
  /// - Returns: Whether a foreign commit was counted as this one.
  mutating func fail(writer: ObjectIdentifier?) -> Bool {
    pendingCount -= 1
    return endWrite(by: writer, hasWritten: false, after: nil)
  }

  private mutating func endWrite(
    by writer: ObjectIdentifier?,
    hasWritten: Bool,
    after: WALIndex?
  ) -> Bool {
    guard let place = writes.firstIndex(where: { $0.writer == writer }) else { return false }
    let write = writes.remove(at: place)
    // If the index counts more than this commit, the next look at the index finds the foreign ones.
    let commits = write.before.commits &+ (hasWritten ? 1 : 0)
    if let after, index == write.before, after.commits == commits, !Fault.isOn(.ownIsExternal) {
      index = after
    }
    guard write.isTakenAsKnown, !hasWritten else { return false }
    // The connection that counted the foreign commit as its own has not read the schema again.
    ownSchemaChanges += 1
    return true
  }

  // MARK: Numbers without a commit

  /// Gives a number to a change that no commit of this process made.
  mutating func numberChange() -> CommitNumber {
    number = number.next
    return number
  }

  /// Foreign commits that were found are about to be read: until ``endReading()``, they count as
  /// under way, because a snapshot may contain them.
  mutating func beginReading() { readings += 1 }

  /// Foreign commits have been read, and announced by their number.
  mutating func endReading() { readings -= 1 }

  /// Gives a number to foreign commits, which may have changed the schema.
  mutating func numberForeignCommits() -> CommitNumber {
    schemaChanges += 1
    return numberChange()
  }

  // MARK: The WAL's index

  /// The index after the last known commit; `nil` while no index is read.
  var knownIndex: WALIndex? { index }

  /// Makes an index that was read under the write lock the known one.
  ///
  /// - Returns: Whether it counts unknown foreign commits.
  mutating func take(_ index: WALIndex?) -> Bool {
    defer { self.index = index }
    guard let index else { return false }
    guard let known = self.index else { return true }
    if index.holdsSameCommits(as: known) { return false }
    // If a write of this process started from the known index, the one further commit is that
    // write: it is visible and has not ended.
    guard index.commits == known.commits &+ 1,
      let write = writes.lastIndex(where: { $0.before == known })
    else { return true }
    writes[write].isTakenAsKnown = true
    return false
  }

  /// Compares an index that was read without the write lock, and makes it the known one.
  ///
  /// - Parameters:
  ///   - index: The index.
  ///   - position: The position before the index was read.
  /// - Returns: The finding.
  mutating func look(at index: WALIndex, since position: Position) -> Finding {
    guard self.position == position, position.pendingCount == 0 else { return .overtaken }
    defer { self.index = index }
    if let known = self.index, index.holdsSameCommits(as: known) { return .known }
    // Counted here, because a connection that finds the index known must still read the schema
    // again.
    schemaChanges += 1
    return .foreign
  }

  /// Whether an index counts known commits only.
  func isKnown(_ index: WALIndex) -> Bool {
    self.index.map(index.holdsSameCommits) ?? false
  }

  /// Makes an index the known one without comparing it, if none is known.
  mutating func adopt(_ index: WALIndex) {
    guard self.index == nil, position.pendingCount == 0 else { return }
    self.index = index
    adoptions += 1
    noteUnseenCommits()
  }

  /// Notes commits that came while nothing was observed: they may have changed the schema.
  mutating func noteUnseenCommits() { schemaChanges += 1 }

  /// Drops the index, because it can no longer be read, or may be recreated.
  mutating func forgetIndex() { index = nil }
}
