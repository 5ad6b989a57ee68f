import Foundation
import Storage

@testable import StorageTestSupport

/// One of several processes that write to a file, and note their operations on the disk in one log.
struct MachineMember {
  private let system: FaultyFileSystem
  private let log: DiskLog
  private let path: String
  private let journal: ForeignFile.Journal
  private let process: Int

  /// - Parameters:
  ///   - path: The file.
  ///   - logPath: The log that the processes share.
  ///   - journal: The name of the journal mode.
  ///   - process: The number of this process.
  /// - Throws: An error when the log cannot be opened.
  init(_ path: String, logPath: String, _ journal: String, _ process: Int) throws {
    log = try DiskLog(path: logPath)
    system = FaultyFileSystem(log: log)
    self.path = path
    self.journal = ForeignFile.Journal(rawValue: journal)!
    self.process = process
  }

  private typealias AnyDatabase = any DatabaseWriter & DatabaseReader

  private func open() throws -> AnyDatabase {
    var configuration = Configuration()
    configuration.busyMode = .timeout(120)
    // Pages are written before the commit, as large transactions do.
    configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA cache_size = 10") }
    let location = DatabaseLocation.uri(path, parameters: [.vfs(system.name)])
    return switch journal {
    case .wal: try DatabasePool(location, configuration: configuration)
    default: try DatabaseQueue(location, configuration: configuration)
    }
  }

  /// Opens the file, adds three entries, does the work of this process, and closes the file.
  func run(round: Int) throws {
    let database = try open()
    for entry in 0..<3 { try add(1000 * process + 3 * round + entry, to: database) }
    switch process {
    case 1:
      // Fails when another process reads.
      _ = try? (database as? DatabasePool)?.checkpoint(.truncate)
    case 2 where round % 4 == 2: try database.vacuum()
    default: _ = try database.read { db in try Ledger.numbers(db) }
    }
    try database.close()
  }

  /// Adds one entry.
  func write() throws {
    let database = try open()
    try add(1000 * process, to: database)
    try database.close()
  }

  private func add(_ number: Int, to database: AnyDatabase) throws {
    log.append(.attempt(number: number))
    try database.write { db in try Ledger.add(number, to: db) }
    log.append(.acknowledge(number: number))
  }

  /// Kills the process in a transaction that has written pages.
  func die() throws {
    let number = 1000 * process
    log.append(.attempt(number: number))
    try open().write { db in
      try db.execute(sql: "UPDATE ledger SET payload = payload || 'half'")
      for other in 0..<20 { try Ledger.add(number + other, to: db) }
      kill(getpid(), SIGKILL)
    }
  }
}
