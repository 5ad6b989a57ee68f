import Foundation
import Storage
import Testing
import TestSupport
import WellspringSystem

@testable import StorageTestSupport

/// The system says why a write fails: the error repeats it, and the process continues when the
/// reason is gone.
@Suite struct SystemErrorLabTests {
  @Test(
    arguments: [
      (EDQUOT, "the disk quota of the user is used up"),
      (EROFS, "the file system is read-only"),
      (ENOLCK, "the machine has no file locks left"),
      (ENOMEM, "the machine has no memory left"),
      (ENFILE, "the machine has no file descriptors left"),
    ],
    [ForeignFile.Journal.wal, .delete]
  )
  func `an error of the system is named`(
    failure: (code: Int32, text: String),
    journal: ForeignFile.Journal
  ) throws {
    let system = FaultyFileSystem()
    let directory = TemporaryDirectory()
    let path = directory.file()
    do {
      let queue = try DatabaseQueue(path: path)
      try queue.write { db in try db.execute(sql: Ledger.schema) }
      try queue.write { db in try Ledger.add(1, to: db) }
      try queue.close()
    }
    try system.adopt(path)
    let patient = try Patient(system, directory, journal: journal, existing: [1])
    system.inject(
      Fault(call: .write, effect: .system(failure.code), number: 0, persists: true)
    )
    for _ in 0..<3 {
      let error = #expect(throws: DatabaseError.self) {
        try patient.pool.write { db in try Ledger.add(9, to: db) }
      }
      #expect(error?.resultCode == .SQLITE_IOERR)
      #expect(error?.message == "disk I/O error: \(failure.text)")
    }
    // Reads continue meanwhile.
    try patient.checkEntries(patient.pool)
    system.repair()
    try patient.commit { number in
      try patient.pool.write { db in try Ledger.add(number, to: db) }
    }
    #expect(patient.errors.isEmpty)
    try patient.checkWhileOpen()
    try patient.close()
  }
}
