internal import Synchronization
internal import WellspringPlatform

/// Numbers the commits of one file in this process, and tells them to the brokers of all pools that
/// are open on it.
final class FileCommits: Sendable {
  /// Where the numbering stands.
  struct Position: Equatable {
    /// The number of the last commit that was announced.
    let number: UInt64
    /// How many commits are under way: a snapshot that is taken now may contain them or not.
    let inFlight: Int
  }

  /// A commit that is under way and writes the file itself.
  private struct Write {
    /// Its connection.
    let writer: ObjectIdentifier
    /// The WAL's index before the commit.
    let before: WALIndex
    /// Whether the next commit in the index was taken for this one.
    var isTakenAsKnown = false
  }

  private struct State {
    var number: UInt64 = 0
    var inFlight = 0
    /// Those of them that the WAL's index counts. Another one can begin while the one before is visible, and
    /// has not ended for us.
    var writes: [Write] = []
    var ownCommits: UInt64 = 0
    /// Counts what may have changed the schema.
    var schemaChanges: UInt64 = 0
    /// Counts what of that were commits of this process, or were taken for one.
    var ownSchemaChanges: UInt64 = 0
    /// The WAL's index after the last commit that is known, while somebody observes.
    var index: WALIndex?
    /// Counts how often the index was taken as known without a word of it.
    var adoptions: UInt64 = 0
    var brokers: [WeakBroker] = []

    /// Takes the index as known, which was read while the write lock is held.
    ///
    /// - Returns: Whether commits of others are in it that were not known.
    mutating func take(_ index: WALIndex?) -> Bool {
      defer { self.index = index }
      guard let index else { return false }
      guard let known = self.index else { return true }
      if index.holdsSameCommits(as: known) { return false }
      // A commit of another pool of this process may be visible, and not have ended for us.
      // Of several, it is that of the last one that had the lock.
      guard index.commits == known.commits &+ 1,
        let write = writes.lastIndex(where: { $0.before == known })
      else { return true }
      writes[write].isTakenAsKnown = true
      return false
    }

    /// A commit has ended that the index counts, if it has written anything.
    ///
    /// - Returns: Whether that of somebody else was taken for it.
    mutating func endWrite(
      by writer: ObjectIdentifier?,
      hasWritten: Bool,
      after: WALIndex? = nil
    ) -> Bool {
      guard let place = writes.firstIndex(where: { $0.writer == writer }) else { return false }
      let write = writes.remove(at: place)
      // If others have committed meanwhile, the next look at the index finds out.
      let commits = write.before.commits &+ (hasWritten ? 1 : 0)
      if let after, index == write.before, after.commits == commits { index = after }
      guard write.isTakenAsKnown, !hasWritten else { return false }
      // Who has taken it for one of this process has not looked at the schema again.
      ownSchemaChanges += 1
      return true
    }
  }

  private struct WeakBroker {
    weak var broker: ObservationBroker?
  }

  // Guards the numbering and the list of brokers, which are told outside of it.
  private let state = Lock(State())
  private let observers = Atomic<Int>(0)
  private let writers = Atomic<Int>(0)
  private let generation = Atomic<UInt64>(1)
  private let growth = Atomic<UInt64>(1)

  // MARK: The registry

  private struct WeakFile {
    weak var commits: FileCommits?
  }

  /// What is one database for all who open it.
  private enum Key: Hashable {
    /// What the file system takes for one file.
    case file(FileStatus.Identity)
    /// The name of a database in memory.
    case memory(String)
  }

  // Guards the databases that are open.
  private static let files = Lock<[Key: WeakFile]>([:])

  /// The commits of the file at `path`, which exists; `nil` stands for a database that nobody else can
  /// open.
  static func shared(path: String?) -> FileCommits {
    guard let path, let identity = FileStatus(path: path)?.identity else { return FileCommits() }
    return shared(.file(identity))
  }

  /// The commits of the database in memory with this name.
  static func shared(memoryNamed name: String) -> FileCommits { shared(.memory(name)) }

  private static func shared(_ key: Key) -> FileCommits {
    files.withLock { files in
      if let known = files[key]?.commits { return known }
      files = files.filter { $0.value.commits != nil }
      let commits = FileCommits()
      files[key] = WeakFile(commits: commits)
      return commits
    }
  }

  // MARK: Observers

  /// Whether somebody observes the file, in whatever pool.
  var isObserved: Bool { observers.load(ordering: .acquiring) > 0 }

  func addObserver() { observers.add(1, ordering: .acquiringAndReleasing) }
  func removeObserver() { observers.subtract(1, ordering: .acquiringAndReleasing) }

  /// Counts how often tables, columns or rows have come to what is observed.
  var observationGrowth: UInt64 { growth.load(ordering: .acquiring) }

  /// Tables, columns or rows are observed that were not before, or may be.
  ///
  /// - Returns: How often that has happened: who learns what is observed from then on knows them.
  func observedTablesDidGrow() -> UInt64 {
    let number = growth.add(1, ordering: .acquiringAndReleasing).newValue
    generation.add(1, ordering: .acquiringAndReleasing)
    return number
  }

  /// Tables, columns or rows are not observed any more. What is looked at until that is learned is more
  /// than enough.
  func observedTablesDidShrink() { generation.add(1, ordering: .acquiringAndReleasing) }

  /// What all brokers observe; `nil` when it is still as it was in the generation `known`.
  func observedTables(
    after known: UInt64
  ) -> (generation: UInt64, growth: UInt64, tables: ObservedTables)? {
    // Read first: what changes meanwhile is learned again next time.
    let current = generation.load(ordering: .acquiring)
    let growth = observationGrowth
    guard current != known else { return nil }
    var tables = ObservedTables()
    for entry in state.withLock({ $0.brokers }) {
      if let broker = entry.broker { tables.formUnion(broker.observedTables) }
    }
    return (current, growth, tables)
  }

  /// Adds a broker, which is told of commits for as long as it lives.
  func add(_ broker: ObservationBroker) {
    state.withLock { state in
      state.brokers.removeAll { $0.broker == nil }
      state.brokers.append(WeakBroker(broker: broker))
    }
  }

  /// Whether several pools of this process have the file open.
  var isSharedByPools: Bool { state.withLock { $0.brokers.count { $0.broker != nil } > 1 } }

  // MARK: Commits

  /// A connection that writes the file has been opened.
  func writerDidOpen() { writers.add(1, ordering: .acquiringAndReleasing) }

  /// A connection that writes the file is about to be closed.
  func writerWillClose() {
    // Without one that stays open, the index may be made anew.
    if writers.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { forgetIndex() }
  }

  /// How many commits of this process were announced, without those of others that were noticed.
  var ownCommits: UInt64 { state.withLock { $0.ownCommits } }

  var position: Position {
    state.withLock { Position(number: $0.number, inFlight: $0.inFlight) }
  }

  /// Counts the commits that may have changed the schema.
  var schemaChanges: UInt64 { state.withLock { $0.schemaChanges } }

  /// Counts the commits of this process that may have changed the schema, and those that were taken for one.
  var ownSchemaChanges: UInt64 { state.withLock { $0.ownSchemaChanges } }

  /// A commit of this process begins to become visible.
  ///
  /// - Parameters:
  ///   - index: The WAL's index as it is before the commit, while the committing connection holds the
  ///     write lock; `nil` when there is none.
  ///   - writer: The connection, when the commit writes the file itself, and not attached ones only: then
  ///     it holds the write lock.
  /// - Returns: Whether others have committed since the last commit that is known.
  func commitDidBegin(_ index: WALIndex?, writer: ObjectIdentifier?) -> Bool {
    state.withLock { state in
      state.inFlight += 1
      guard let writer else { return false }
      let isMissing = state.take(index)
      if let index { state.writes.append(Write(writer: writer, before: index)) }
      return isMissing
    }
  }

  /// A commit that began has failed.
  func commitDidFail(writer: ObjectIdentifier?) {
    let wasMistaken = state.withLock { state in
      state.inFlight -= 1
      return state.endWrite(by: writer, hasWritten: false)
    }
    if wasMistaken { didChangeExternally() }
  }

  /// A commit that began is done: it gets a number, and the brokers are told.
  ///
  /// - Parameters:
  ///   - changes: What it has changed.
  ///   - index: The WAL's index after the commit; it may contain further commits.
  ///   - hasWritten: Whether the commit has written the WAL.
  ///   - writer: What was said when it began.
  /// - Returns: The number, and what ``schemaChanges`` is with this commit.
  func commitDidEnd(
    _ changes: CommittedChanges,
    index: WALIndex?,
    hasWritten: Bool,
    writer: ObjectIdentifier?
  ) -> (number: UInt64, schemaChanges: UInt64) {
    let (number, schemaChanges, brokers, wasMistaken) = state.withLock { state in
      state.number += 1
      state.ownCommits += 1
      state.inFlight -= 1
      let wasMistaken = state.endWrite(by: writer, hasWritten: hasWritten, after: index)
      if case .everything = changes.observed {
        state.schemaChanges += 1
        state.ownSchemaChanges += 1
      }
      return (state.number, state.schemaChanges, state.brokers, wasMistaken)
    }
    for entry in brokers { entry.broker?.didCommit(number: number, changes) }
    if wasMistaken { didChangeExternally() }
    return (number, schemaChanges)
  }

  /// Something has changed without a commit: it gets a number as if it had one, and the brokers are
  /// told.
  func announce(_ changes: CommittedChanges) -> UInt64 {
    let (number, brokers) = state.withLock { state in
      state.number += 1
      return (state.number, state.brokers)
    }
    for entry in brokers { entry.broker?.didCommit(number: number, changes) }
    return number
  }

  // MARK: Commits of others

  /// Takes the WAL's index as known, which was read while the write lock is held.
  ///
  /// - Returns: Whether it shows commits of others.
  func takeIndex(_ index: WALIndex) -> Bool {
    state.withLock { $0.take(index) }
  }

  /// Whether the commits in the WAL's index are known.
  var hasIndex: Bool { state.withLock { $0.index != nil } }

  /// Counts how often ``adoptIndex(_:)`` has taken the index as known.
  var adoptions: UInt64 { state.withLock { $0.adoptions } }

  /// The WAL's index cannot be read any more.
  func forgetIndex() {
    state.withLock { $0.index = nil }
  }

  /// Takes what the WAL's index says now as known, when nothing is known of it.
  func adoptIndex(_ index: WALIndex) {
    state.withLock { state in
      guard state.index == nil, state.inFlight == 0 else { return }
      state.index = index
      state.adoptions += 1
    }
  }

  /// Looks whether the WAL's index shows commits of others, and tells the brokers if so.
  ///
  /// - Returns: `nil` when the index cannot be read.
  func checkIndex(_ read: () -> WALIndex?) -> ExternalChange? {
    for _ in 0..<3 {
      let before = position
      guard before.inFlight == 0 else { return .unsettled }
      guard let index = read() else { return nil }
      let result = state.withLock { state -> ExternalChange? in
        guard state.number == before.number, state.inFlight == 0 else { return nil }
        defer { state.index = index }
        if let known = state.index, index.holdsSameCommits(as: known) { return ExternalChange.none }
        // At once: who takes the index as known must know of this too.
        state.schemaChanges += 1
        return .some
      }
      guard let result else { continue }
      if result == .some { didChangeExternally() }
      return result
    }
    return .unsettled
  }

  /// Someone else has changed the file, or may have, and all brokers must know.
  ///
  /// - Returns: The number that stands for it.
  @discardableResult
  func didChangeExternally() -> UInt64 {
    let (number, brokers) = nextExternalNumber()
    for entry in brokers { entry.broker?.didCommit(number: number, .everything) }
    return number
  }

  /// One broker has noticed that someone else has changed the file, or may have, by what only its own
  /// connection could tell.
  func didChangeExternally(noticedBy broker: ObservationBroker) {
    broker.didCommit(number: nextExternalNumber().number, .everything)
  }

  private func nextExternalNumber() -> (number: UInt64, brokers: [WeakBroker]) {
    state.withLock { state in
      state.number += 1
      state.schemaChanges += 1
      return (state.number, state.brokers)
    }
  }
}
