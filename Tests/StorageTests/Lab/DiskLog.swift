import Foundation
import WellspringSystem

@testable import StorageTestSupport

/// A file in which several processes write down what they do to a disk, in the order in which it
/// happens. Each beginning of it is what had happened at some moment.
///
/// SQLite's locks order what belongs together: a process notes a write before it lets others go on.
final class DiskLog: Sendable {
  private let descriptor: Int32

  /// Opens the log of a path, to append to it.
  init(path: String) throws {
    descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError(.EIO) }
  }

  deinit { close(descriptor) }

  /// Appends an operation, as one write, which the system does not mix with those of others.
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
