import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

/// Each workload, with a fault at its first call to the file system, then at its second, until the
/// workload runs without meeting the fault.
@Suite struct FaultLabTests {
  private static let journals: [ForeignFile.Journal] = [.wal, .delete]

  /// Only every so many calls is hit in the suite.
  private static let stride = Soak.size(1, inSuite: 2400)

  /// In the suite, a workload meets every other fault with one journal, and the rest with another.
  private static func faults(_ all: [Fault], _ workload: Workload, _ journal: ForeignFile.Journal)
    -> [Fault]
  {
    let step = Soak.size(1, inSuite: 2)
    let place = Workload.all.firstIndex { $0.description == workload.description } ?? 0
    let first = place + (journal == .wal ? 0 : 1)
    return all.enumerated().filter { ($0.offset + first) % step == 0 }.map(\.element)
  }

  private static let errors: [Fault] = [
    Fault(call: .open, effect: .error, number: 0),
    Fault(call: .read, effect: .error, number: 0),
    Fault(call: .write, effect: .error, number: 0),
    Fault(call: .write, effect: .full, number: 0, persists: true),
    Fault(call: .write, effect: .shortWrite, number: 0),
    Fault(call: .truncate, effect: .error, number: 0),
    Fault(call: .sync, effect: .error, number: 0),
    Fault(call: .size, effect: .error, number: 0),
    Fault(call: .delete, effect: .error, number: 0),
    Fault(call: .access, effect: .error, number: 0),
    Fault(call: .shmMap, effect: .error, number: 0),
  ]

  /// A call that takes long is not an error.
  private static let delays = [Fault.Call.open, .read, .write, .sync, .shmMap].map {
    Fault(call: $0, effect: .slow, number: 0)
  }

  @Test(arguments: Workload.all, journals)
  func `soak: after an error of the file system, everything acknowledged is there`(
    workload: Workload,
    journal: ForeignFile.Journal
  ) throws {
    let count = FaultCount("\(workload), \(journal)")
    defer { count.report() }
    for fault in Self.faults(Self.errors + Self.delays, workload, journal) {
      try forEachCall(fault, count) { fault in
        let base = try Base(journal)
        let patient = try base.open()
        base.system.inject(fault)
        try workload.run(patient)
        let wasHit = base.system.occurrences > 0
        base.system.repair()
        if fault.effect == .slow, let error = patient.errors.first {
          throw Ledger.Damage("an error on a slow disk: \(error)")
        }
        // The process continues.
        let errors = patient.errors.count
        try patient.commit { number in
          try patient.pool.write { db in try Ledger.add(number, to: db) }
        }
        if patient.errors.count > errors {
          throw Ledger.Damage("the write after the repair failed: \(patient.errors[errors])")
        }
        try patient.checkWhileOpen()
        try patient.close()
        try base.checkWithPlainPool(patient)
        return wasHit
      }
    }
  }

  private static let powerCuts = [Fault.Call.open, .write, .truncate, .sync, .delete].map {
    Fault(call: $0, effect: .powerCut, number: 0)
  }

  @Test(arguments: Workload.all, journals)
  func `soak: after a power cut, everything acknowledged is there`(
    workload: Workload,
    journal: ForeignFile.Journal
  ) throws {
    let count = FaultCount("\(workload), \(journal), power cuts")
    defer { count.report() }
    for fault in Self.faults(Self.powerCuts, workload, journal) {
      for survival in Disk.Survival.allCases {
        try forEachCall(fault, count) { fault in
          let base = try Base(journal)
          let patient = try base.open()
          base.system.inject(fault)
          try workload.run(patient)
          let wasHit = base.system.occurrences > 0
          base.system.cutPower()
          try? patient.close()
          var generator = SeededGenerator(seed: UInt64(fault.number))
          try base.system.reboot(base.directory, surviving: survival, &generator)
          try base.checkWithPlainPool(patient)
          return wasHit
        }
      }
    }
  }

  // MARK: Helpers

  private func forEachCall(
    _ fault: Fault,
    _ count: FaultCount,
    _ run: (Fault) throws -> Bool
  ) throws {
    var number = Self.stride == 1 ? 0 : Self.stride / 3
    while true {
      let fault = Fault(
        call: fault.call,
        effect: fault.effect,
        number: number,
        persists: fault.persists
      )
      do {
        guard try run(fault) else { return }
        count.add(fault)
      } catch {
        Issue.record("\(fault): \(error)")
        return
      }
      number += Self.stride
    }
  }

  /// A file with some entries, on a faulty file system.
  private struct Base {
    let system = FaultyFileSystem()
    let directory = TemporaryDirectory()
    let journal: ForeignFile.Journal
    private let existing: Set<Int> = [1, 2]

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
      try system.adopt(path)
    }

    func open() throws -> Patient {
      try Patient(system, directory, journal: journal, existing: existing)
    }

    /// Opens the file as another process would, later.
    func checkWithPlainPool(_ patient: Patient) throws {
      let queue = try DatabaseQueue(path: directory.file())
      try patient.check(queue)
      try queue.write { db in try Ledger.add(5000, to: db) }
      try queue.close()
    }
  }
}
