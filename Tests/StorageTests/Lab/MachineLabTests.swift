import Foundation
import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

/// A machine loses its power while several processes write to one file.
///
/// The processes run once, and write down their operations on the disk. Each beginning of that log
/// is a power cut: the entries that were acknowledged by then must be in the file, whatever the
/// disk has kept of the other writes, and whatever the index of the WAL holds.
@Suite struct MachineLabTests {
  private static let existing: Set<Int> = [1, 2]
  private static let rounds = Soak.size(8, inSuite: 3)
  /// Only every so many operations, the power is cut in the suite.
  private static let stride = Soak.size(1, inSuite: 40)

  @Test(arguments: [ForeignFile.Journal.wal, .delete])
  func `soak: after a power cut of several processes, everything acknowledged is there`(
    journal: ForeignFile.Journal
  ) async throws {
    let machine = try Machine(journal)
    try await machine.run(rounds: Self.rounds)
    let operations = try machine.operations()
    // Each process has written, and the killed process has left a transaction behind.
    let attempted = Set(operations.compactMap(\.attempted))
    let acknowledged = Set(operations.compactMap(\.acknowledged))
    #expect(attempted.subtracting(acknowledged) == [4000])
    #expect(acknowledged.count == 3 * 3 * Self.rounds + 1)

    var reboots = Reboots(machine)
    var count = 0
    for (number, operation) in operations.enumerated() {
      reboots.apply(operation)
      guard number % Self.stride == Self.stride / 2 else { continue }
      for survival in Disk.Survival.allCases {
        do {
          try reboots.check(survival, seed: UInt64(number))
          count += 1
        } catch {
          Issue.record("after operation \(number), \(operation.summary), \(survival): \(error)")
          return
        }
      }
    }
    if Soak.isFull {
      print("lab: machine, \(journal): \(count) power cuts at \(operations.count) operations")
    }
  }

  /// A file, the log of the operations on it, and the processes that write to it.
  struct Machine {
    let directory = TemporaryDirectory()
    private let logs = TemporaryDirectory()
    let journal: ForeignFile.Journal
    let initial: [UInt8]
    var path: String { directory.file() }
    private var logPath: String { logs.file("log") }

    init(_ journal: ForeignFile.Journal) throws {
      self.journal = journal
      let path = directory.file()
      let queue = try DatabaseQueue(path: path)
      try queue.writeWithoutTransaction { db in
        if journal == .wal { try db.execute(sql: "PRAGMA journal_mode = wal") }
        try db.execute(sql: Ledger.schema)
        for number in existing { try Ledger.add(number, to: db) }
      }
      try queue.close()
      initial = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    func operations() throws -> [DiskOperation] { try DiskLog.operations(path: logPath) }

    /// Lets three processes write, and a fourth process that is killed in a transaction.
    func run(rounds: Int) async throws {
      let (path, logPath, name) = (path, logPath, journal.rawValue)
      await withTaskGroup(of: Void.self) { group in
        for process in 1...3 {
          group.addTask {
            await #expect(processExitsWith: .success) {
              [
                path = path as String, logPath = logPath as String, name = name as String,
                process = process as Int, rounds = rounds as Int
              ] in
              await Task.yield()
              let member = try MachineMember(path, logPath: logPath, name, process)
              for round in 0..<rounds { try member.run(round: round) }
            }
          }
        }
        group.addTask {
          await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, logPath = logPath as String, name = name as String] in
            await Task.yield()
            try MachineMember(path, logPath: logPath, name, 4).die()
          }
        }
      }
      // The file is opened once more, so that the transaction of the killed process is rolled back.
      let member = try MachineMember(path, logPath: logPath, name, 5)
      try member.write()
    }
  }

  /// The disk at one moment after the other, and the entries that were acknowledged by then.
  private struct Reboots {
    private let machine: Machine
    private var disk = Disk()
    private var attempted = existing
    private var acknowledged = existing
    /// An index of the WAL that was in use before.
    private var staleIndex: [UInt8] = []

    init(_ machine: Machine) {
      self.machine = machine
      disk.add(machine.path, machine.initial)
    }

    mutating func apply(_ operation: DiskOperation) {
      disk.apply(operation)
      if let number = operation.attempted { attempted.insert(number) }
      if let number = operation.acknowledged { acknowledged.insert(number) }
    }

    /// Boots with the content of the disk, and checks the file as its next user finds it.
    mutating func check(_ survival: Disk.Survival, seed: UInt64) throws {
      var generator = SeededGenerator(seed: seed)
      var files = disk.files(surviving: survival, &generator)
      if machine.journal == .wal { files[machine.path + "-shm"] = index(&generator) }
      for name in try FileManager.default.contentsOfDirectory(atPath: machine.directory.path) {
        try FileManager.default.removeItem(atPath: machine.directory.file(name))
      }
      for (path, bytes) in files { try Data(bytes).write(to: URL(fileURLWithPath: path)) }
      let queue = try DatabaseQueue(path: machine.path)
      try Ledger.checkIntegrity(queue)
      try Ledger.check(queue, acknowledged: acknowledged, attempted: attempted)
      try queue.write { db in try Ledger.add(9000, to: db) }
      try Ledger.check(
        queue,
        acknowledged: acknowledged.union([9000]),
        attempted: attempted.union([9000])
      )
      if let data = FileManager.default.contents(atPath: machine.path + "-shm") {
        staleIndex = [UInt8](data)
      }
      try queue.close()
    }

    /// The index of the WAL is never synced: after a power cut, it may hold anything.
    private func index(_ generator: inout SeededGenerator) -> [UInt8]? {
      switch generator.number(in: 0..<4) {
      case 0: nil
      case 1: staleIndex
      case 2: [UInt8](repeating: 0, count: 32_768)
      default: (0..<32_768).map { _ in UInt8(generator.number(in: 0..<256)) }
      }
    }
  }
}

extension DiskOperation {
  var attempted: Int? {
    if case .attempt(let number) = self { number } else { nil }
  }

  var acknowledged: Int? {
    if case .acknowledge(let number) = self { number } else { nil }
  }

  /// The operation without the bytes.
  fileprivate var summary: String {
    if case .write(let path, let offset, let bytes) = self {
      return "write of \(bytes.count) at \(offset) to \(path)"
    }
    return "\(self)"
  }
}
