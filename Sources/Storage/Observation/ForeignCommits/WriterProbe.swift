internal import WellspringSystem

/// Looks for foreign commits through the connections of a pool that writes the file.
final class WriterProbe: ForeignCommitProbe {
  private let fileGuard: FileIdentityGuard
  private let commits: FileCommits
  private let writers: ConnectionQueue
  private let readers: ConnectionQueue
  // Guards the paths of the attached files; `nil` before they are known.
  private let attached = Lock<[String]?>(nil)
  // Guards the reason why the changes of the commits of the last look are not known.
  private let obstacle = Lock(PageObstacle.noIndex)

  init(
    fileGuard: FileIdentityGuard,
    commits: FileCommits,
    writers: ConnectionQueue,
    readers: ConnectionQueue
  ) {
    self.fileGuard = fileGuard
    self.commits = commits
    self.writers = writers
    self.readers = readers
  }

  var attachedFiles: [String] { attached.withLock { $0 } ?? [] }

  func adopt() {
    fileGuard.check()
    let isDone: Void? = writers.accessIfIdle(.read) { db in
      db.installedTracker?.writerCommits.adopt(db)
      noteAttachedFiles(of: db)
    }
    guard isDone == nil, readers !== writers else { return }
    // A write is running, and an observation must not wait for it. The index of a WAL can be read
    // during the write. Without an index, the look that follows is the first one, and reports a
    // change.
    _ = try? readers.accessIfFree(.read) { db in
      noteAttachedFiles(of: db)
      guard (try? db.mainJournalMode()) == "wal" else { return }
      if let index = WALIndex.read(db.sqliteConnection) { commits.withLedger { $0.adopt(index) } }
    }
  }

  func look(completion: @escaping @Sendable (ForeignCommitFinding) -> Void) {
    // The index of a WAL can be read through a reader, so that no write has to wait for the look.
    let hasOneFile = attached.withLock { $0?.isEmpty == true }
    if commits.withLedger({ $0.hasIndex }), readers !== writers, hasOneFile {
      let finding = readers.accessIfIdle(.read) { db in
        commits.checkIndex(db)
      }
      if let finding = finding ?? nil { return completion(finding.withoutNotified) }
    }
    if let finding = writers.accessIfIdle(.read, { look($0) }) { return completion(finding) }
    writers.submit(.read) { [self] db in
      look(db)
    } completion: { result in
      // A closed database has nothing to report.
      completion((try? result.get()) ?? .none)
    }
  }

  private func look(_ db: Database) -> ForeignCommitFinding {
    guard let tracker = db.installedTracker else { return .none }
    noteAttachedFiles(of: db)
    let (finding, unnotified) = tracker.writerCommits.check(db, notifying: tracker.listener)
    guard let unnotified else { return finding.withoutNotified }
    obstacle.withLock { $0 = unnotified }
    return finding
  }

  private func noteAttachedFiles(of db: Database) {
    let files = db.attached.files
    attached.withLock { $0 = files }
  }

  /// Commits that the log has shown are announced already.
  var found: FoundCommits { .unknown(obstacle.withLock { $0 }) }

  func rest() {}

  func fileWasReplaced() {
    fileGuard.check()
    obstacle.withLock { $0 = .otherFile }
  }
}

extension ForeignCommitFinding {
  /// The finding to report when all brokers have been notified of the foreign commits.
  fileprivate var withoutNotified: ForeignCommitFinding { self == .some ? .none : self }
}
