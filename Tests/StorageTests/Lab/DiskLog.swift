import Foundation
import WellspringSystem

@testable import StorageTestSupport

/// A file in which several processes write down their operations on a disk, in the order of these
/// operations. Each beginning of the file has the operations until some moment.
///
/// SQLite's locks order related operations: a process notes a write before other processes can
/// continue.
final class DiskLog: Sendable {
  private let descriptor: Int32

  /// Opens the log of a path, to append to it.
  init(path: String) throws {
    descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError(.EIO) }
  }

  deinit { close(descriptor) }

  /// Appends an operation, as one write. The system does not mix it with the writes of other
  /// processes.
  func append(_ operation: DiskOperation) {
    let record = operation.record
    let count = write(descriptor, record, record.count)
    precondition(count == record.count, "the log of the disk cannot be written")
  }

  /// Returns the operations in the log of a path.
  static func operations(path: String) throws -> [DiskOperation] {
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))[...]
    var operations: [DiskOperation] = []
    while let operation = DiskOperation(takingFrom: &bytes) { operations.append(operation) }
    guard bytes.isEmpty else { throw Ledger.Damage("the log of the disk is incomplete") }
    return operations
  }
}
