internal import Storage

/// The file of a node when it is opened: its place, which may be the beginning.
struct OpenedFile: Sendable {
  /// The right to use the file.
  let turn: FileTurn
  let pool: DatabasePool
  var place: HistoryPosition
  var epochs: EpochBeginnings
  var primaryAddress: String?
  /// Why the file must be replaced by a snapshot, and the first entry that this must contain.
  var damage: NodeStateMachine.Damage?
  /// Whether the file had content when this node began the history.
  var hadContent = false
  /// Up to which number the outbox has commits of another node, which came with a snapshot.
  var lastForeignCommit: Int64 = 0
  /// Whether this node has begun the history, so that no other node can lead yet.
  var isFirst = false

  /// Opens a file, and finds its place in the history of a log, or begins that history.
  ///
  /// The log is asked for the sake of a new file only. A file that has a place is opened without
  /// it, since reads are needed most when the log is away or wrong.
  ///
  /// - Throws: ``ReplicationError``, or `DatabaseError`.
  static func open(
    _ path: String,
    _ configuration: Configuration,
    _ log: any ReplicationLog,
    _ role: ReplicationRole,
    _ options: ReplicationOptions
  ) throws -> OpenedFile {
    let turn = try FileTurn(of: path)
    Node.removeCopies(of: path)
    let pool = try DatabasePool(path: path, configuration: configuration)
    do {
      return try open(turn, pool, log, role, options)
    } catch {
      try? pool.close()
      throw error
    }
  }

  /// Opens a file whose pool is open.
  ///
  /// - Throws: ``ReplicationError``, or `DatabaseError`.
  static func open(
    _ turn: FileTurn,
    _ pool: DatabasePool,
    _ log: any ReplicationLog,
    _ role: ReplicationRole,
    _ options: ReplicationOptions
  ) throws -> OpenedFile {
    try pool.write(ReplicationTable.create)
    if let place = try pool.read(ReplicationTable.read) {
      let (epochs, address) = try pool.read(ReplicationTable.epochs)
      let damage = try pool.read(ReplicationTable.damage).map { error in
        let needed =
          switch error {
          case .otherSurvivor(let position): position
          case .snapshotNeeded(let position): position.next
          default: place.position
          }
        return NodeStateMachine.Damage(error: error, needed: needed)
      }
      return OpenedFile(
        turn: turn,
        pool: pool,
        place: place,
        epochs: epochs,
        primaryAddress: address,
        damage: damage
      )
    }
    return try FileBeginning(turn, pool, log, role, options).open()
  }
}
