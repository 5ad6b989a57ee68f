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

  private struct State {
    var number: UInt64 = 0
    var inFlight = 0
    var ownCommits: UInt64 = 0
    var brokers: [WeakBroker] = []
  }

  private struct WeakBroker {
    weak var broker: ObservationBroker?
  }

  // Guards the numbering and the list of brokers, which are told outside of it.
  private let state = Lock(State())
  private let observers = Atomic<Int>(0)
  private let generation = Atomic<UInt64>(1)

  // MARK: The registry

  private struct WeakFile {
    weak var commits: FileCommits?
  }

  // Guards the files that are open, by what the file system takes for one file.
  private static let files = Lock<[FileStatus.Identity: WeakFile]>([:])

  /// The commits of the file at `path`, which exists; `nil` stands for a database in memory.
  static func shared(path: String?) -> FileCommits {
    guard let path, let identity = FileStatus(path: path)?.identity else { return FileCommits() }
    return files.withLock { files in
      if let known = files[identity]?.commits { return known }
      files = files.filter { $0.value.commits != nil }
      let commits = FileCommits()
      files[identity] = WeakFile(commits: commits)
      return commits
    }
  }

  // MARK: Observers

  /// Whether somebody observes the file, in whatever pool.
  var isObserved: Bool { observers.load(ordering: .acquiring) > 0 }

  func addObserver() { observers.add(1, ordering: .acquiringAndReleasing) }
  func removeObserver() { observers.subtract(1, ordering: .acquiringAndReleasing) }

  /// Counts how often what is observed has changed.
  var observationGeneration: UInt64 { generation.load(ordering: .acquiring) }

  /// The tables, columns or rows that are observed have changed.
  func observedTablesDidChange() { generation.add(1, ordering: .acquiringAndReleasing) }

  /// What all brokers observe, with its generation; `nil` when it is still as it was in `known`.
  func observedTables(
    after known: UInt64
  ) -> (generation: UInt64, tables: [TableName: ObservedTable])? {
    // Read first: what changes meanwhile is learned again next time.
    let current = observationGeneration
    guard current != known else { return nil }
    var tables: [TableName: ObservedTable] = [:]
    for entry in state.withLock({ $0.brokers }) {
      tables.merge(entry.broker?.observedTables ?? [:]) { $0.union($1) }
    }
    return (current, tables)
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

  /// How many commits of this process were announced, without those of others that were noticed.
  var ownCommits: UInt64 { state.withLock { $0.ownCommits } }

  var position: Position {
    state.withLock { Position(number: $0.number, inFlight: $0.inFlight) }
  }

  /// A commit of this process begins to become visible.
  func commitDidBegin() {
    state.withLock { $0.inFlight += 1 }
  }

  /// A commit that began has failed.
  func commitDidFail() {
    state.withLock { $0.inFlight -= 1 }
  }

  /// A commit that began is done: it gets a number, and the brokers are told.
  func commitDidEnd(_ changes: CommittedChanges) {
    let (number, brokers) = state.withLock { state in
      state.number += 1
      state.ownCommits += 1
      state.inFlight -= 1
      return (state.number, state.brokers)
    }
    for entry in brokers { entry.broker?.didCommit(number: number, changes) }
  }

  /// One broker has noticed that someone else has changed the file, or may have.
  func didChangeExternally(noticedBy broker: ObservationBroker) {
    let number = state.withLock { state in
      state.number += 1
      return state.number
    }
    broker.didCommit(number: number, .everything)
  }
}
