internal import WellspringSystem

/// Makes the brokers of databases.
extension ObservationBroker {
  /// Makes the broker of a database that this process writes.
  ///
  /// - Parameters:
  ///   - fileGuard: The guard of the file; `nil` when the database has no file.
  ///   - commits: The commits to the file.
  ///   - writers: The connection that writes.
  ///   - readers: The connections that read.
  ///   - configuration: The configuration of the database.
  ///   - instrumentation: The instruments of the database.
  convenience init(
    fileGuard: FileIdentityGuard?,
    commits: FileCommits,
    writers: ConnectionQueue,
    readers: ConnectionQueue,
    configuration: Configuration,
    instrumentation: Instrumentation?
  ) {
    var monitor: ForeignCommitMonitor?
    if let fileGuard {
      let probe = WriterProbe(
        fileGuard: fileGuard,
        commits: commits,
        writers: writers,
        readers: readers
      )
      let file = FollowedFile(fileGuard.givenPath)
      monitor = ForeignCommitMonitor(file, probe: probe) { commits.withLedger { $0.ownCommits } }
    }
    self.init(
      commits: commits,
      snapshots: SnapshotSource(
        commits: commits,
        readers: readers,
        fileGuard: fileGuard,
        watching: nil
      ),
      monitor: monitor,
      maximumReaders: configuration.maximumReaderCount,
      share: configuration.observationShare,
      label: configuration.connectionLabel,
      instrumentation: instrumentation
    )
  }

  /// Makes the broker of a file that is only watched.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - readers: The connections that read.
  ///   - configuration: The configuration of the database.
  ///   - instrumentation: The instruments of the database.
  convenience init(
    watching file: FollowedFile,
    readers: ConnectionQueue,
    configuration: Configuration,
    instrumentation: Instrumentation?
  ) {
    let label = configuration.connectionLabel
    let commits = OpenDatabases.commits(toFile: file.path)
    let watching = WatchingReader(file, configuration: configuration, label: label)
    let notified = NotifiedIndex()
    let probe = WatcherProbe(
      file,
      configuration: configuration,
      commits: commits,
      readers: readers,
      watching: watching,
      notified: notified
    )
    self.init(
      commits: commits,
      snapshots: SnapshotSource(
        commits: commits,
        readers: readers,
        fileGuard: nil,
        watching: watching,
        notified: notified
      ),
      monitor: ForeignCommitMonitor(file, probe: probe) { commits.withLedger { $0.ownCommits } },
      maximumReaders: configuration.maximumReaderCount,
      share: configuration.observationShare,
      label: label,
      instrumentation: instrumentation
    )
  }

  /// Makes the broker of a snapshot, which never changes.
  convenience init(snapshot readers: ConnectionQueue, label: String) {
    let commits = FileCommits()
    self.init(
      commits: commits,
      snapshots: SnapshotSource(commits: commits, readers: readers, fileGuard: nil, watching: nil),
      monitor: nil,
      maximumReaders: 1,
      label: label
    )
  }
}
