import WellspringSystem

@testable import Storage

extension WatcherProbe {
  /// Makes a probe of a file without a pool.
  convenience init(watching path: String) {
    var configuration = Configuration()
    configuration.readonly = true
    let readers = ConnectionQueue(
      capacity: 1,
      open: { [configuration] in
        try PooledConnection(
          Database(path: path, configuration: configuration, role: .watcher),
          label: "test"
        )
      }
    )
    let file = FollowedFile(path)
    self.init(
      file,
      configuration: configuration,
      commits: OpenDatabases.commits(toFile: path),
      readers: readers,
      watching: WatchingReader(file, configuration: configuration, label: "test"),
      notified: NotifiedIndex()
    )
  }

  func look() -> ForeignCommitFinding {
    let found = Lock(ForeignCommitFinding.unsettled)
    look { finding in found.withLock { $0 = finding } }
    return found.withLock { $0 }
  }
}
