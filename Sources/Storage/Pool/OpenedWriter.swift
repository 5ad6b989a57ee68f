/// The connection that writes a database, and all that follows its commits.
struct OpenedWriter {
  /// The queue of the connection.
  let queue: ConnectionQueue
  let tracker: ChangeTracker
  let commits: FileCommits
  let registrations: WriterRegistrations
  /// Where the file must be; `nil` for a database without a file.
  let fileGuard: FileIdentityGuard?
  /// Bounds the WAL of the file; `nil` for a database without a file.
  let walKeeper: WALKeeper?

  /// Opens the connection.
  ///
  /// - Throws: ``DatabaseError`` if the file cannot be opened, or is not a database.
  init(_ location: DatabaseLocation, _ configuration: Configuration) throws {
    let path = location.isFile ? location.path : nil
    if let path { try OpenDatabases.checkWAL(besideFile: path) }
    let database = try Database(location: location, configuration: configuration, role: .writer)
    commits =
      location.sharedName.map(OpenDatabases.commits(toMemoryNamed:))
      ?? OpenDatabases.commits(toFile: path)
    fileGuard = path.map {
      FileIdentityGuard(
        path: $0,
        givenPath: location.givenPath,
        usesLog: (try? database.mainJournalMode()) == "wal"
      )
    }
    if let fileGuard { OpenDatabases.add(fileGuard) }
    registrations = WriterRegistrations()
    tracker = ChangeTracker(
      database: database,
      commits: commits,
      fileGuard: fileGuard,
      registrations: registrations
    )
    database.hooks = tracker
    let writer = PooledConnection(database, label: "\(configuration.connectionLabel).writer")
    queue = ConnectionQueue(capacity: 1, idle: [writer]) {
      throw DatabaseError(resultCode: .SQLITE_INTERNAL, message: "the writer opens once")
    }
    walKeeper = OpenDatabases.walKeeper(ofFile: path)
    walKeeper?.serve(database, queue, limit: configuration.maximumWALPageCount)
  }
}
