internal import Storage

extension DatabasePool {
  /// Opens a database with the same pragmas as ``RawConnection``.
  convenience init(
    benchmarking path: String,
    instruments: [any DatabaseInstrument] = []
  ) throws {
    var configuration = Configuration()
    configuration.instruments = instruments
    configuration.synchronous = .normal
    try self.init(path: path, configuration: configuration)
  }

  /// Empties the WAL, so that every round begins with an empty one.
  func emptyWAL() throws {
    try writeWithoutTransaction { try $0.execute(sql: RawConnection.emptyingWAL) }
  }

  /// Returns the sum of all counters.
  func counterSum() throws -> Int {
    try read { try Int.fetchOne($0, sql: Counter.sum) ?? 0 }
  }
}
