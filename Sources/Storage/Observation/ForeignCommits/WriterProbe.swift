internal import WellspringPlatform

/// Looks for commits of others through the connections of a pool that writes the file.
final class WriterProbe: ExternalChangeProbe {
  private let place: FilePlace
  private let commits: FileCommits
  private let writers: ConnectionQueue
  private let readers: ConnectionQueue
  // Guards the paths; `nil` before they are known.
  private let attached = Lock<[String]?>(nil)

  init(
    place: FilePlace,
    commits: FileCommits,
    writers: ConnectionQueue,
    readers: ConnectionQueue
  ) {
    self.place = place
    self.commits = commits
    self.writers = writers
    self.readers = readers
  }

  var attachedFiles: [String] { attached.withLock { $0 } ?? [] }

  func adopt() {
    place.check()
    let isDone: Void? = writers.accessIfIdle(.read) { db in
      (db.hooks as? ChangeTracker)?.externalCommits.adopt(db)
      noteAttachedFiles(of: db)
    }
    guard isDone == nil, readers !== writers else { return }
    // A write is running, for which nobody waits here. The index of a WAL can be read beside it; without
    // one, the look that follows counts what it finds as a change, because it is the first one.
    _ = try? readers.accessIfFree(.read) { db in
      noteAttachedFiles(of: db)
      guard (try? db.pragmas.journalMode()) == "wal" else { return }
      if let index = WALIndex.read(db.sqliteConnection) { commits.adoptIndex(index) }
    }
  }

  func check(completion: @escaping @Sendable (ExternalChange) -> Void) {
    // The index of a WAL can be read beside the writer, who must not wait for that.
    let hasOneFile = attached.withLock { $0?.isEmpty == true }
    if commits.hasIndex, readers !== writers, hasOneFile {
      let change = readers.accessIfIdle(.read) { db in
        commits.checkIndex { WALIndex.read(db.sqliteConnection) }
      }
      if let change = change ?? nil { return completion(change.toldToAll) }
    }
    if let change = writers.accessIfIdle(.read, { self.check($0) }) { return completion(change) }
    writers.submit(.read) { [self] db in
      check(db)
    } completion: { result in
      // A closed database tells nothing.
      completion((try? result.get()) ?? .none)
    }
  }

  private func check(_ db: Database) -> ExternalChange {
    guard let tracker = db.hooks as? ChangeTracker else { return .none }
    noteAttachedFiles(of: db)
    let (change, isTold) = tracker.externalCommits.check(db)
    return isTold ? change.toldToAll : change
  }

  private func noteAttachedFiles(of db: Database) {
    let files = db.pragmas.attachedFiles
    attached.withLock { $0 = files }
  }

  func rest() {}

  func fileWasReplaced() { place.check() }
}

extension ExternalChange {
  /// What is left to tell when all brokers have been told of the change.
  fileprivate var toldToAll: ExternalChange { self == .some ? .none : self }
}
