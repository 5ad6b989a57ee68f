internal import Glibc
internal import Synchronization

/// The process that something was made in: a copy of it in a forked child is not the child's.
///
/// The process id would tell too, at the price of a system call for each question.
package struct ProcessIdentity: Sendable {
  private let generation: UInt

  /// Remembers the running process.
  package init() {
    generation = ProcessGeneration.current
  }

  /// Whether the running process is still the same one.
  package var isCurrent: Bool { generation == ProcessGeneration.count.load(ordering: .relaxed) }
}

/// Counts the forks that lie between the process that was started as a program and this one.
private enum ProcessGeneration {
  static let count = Atomic<UInt>(0)

  static var current: UInt {
    _ = registration
    return count.load(ordering: .relaxed)
  }

  private static let registration: Void = {
    let status = pthread_atfork(nil, nil) { count.add(1, ordering: .relaxed) }
    precondition(status == 0, "pthread_atfork failed with \(status)")
  }()
}
