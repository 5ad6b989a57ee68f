internal import Glibc
internal import Synchronization

/// The process in which a value was made, to detect its copies in forked child processes.
///
/// It does not use the process id, because reading that takes a system call each time.
package struct ProcessIdentity: Sendable {
  private let generation: UInt

  /// Makes the identity of the running process.
  package init() {
    generation = ProcessGeneration.current
  }

  /// Whether the running process is the one in which the identity was made.
  package var isCurrent: Bool { generation == ProcessGeneration.count.load(ordering: .relaxed) }
}

/// Counts the forks between the process that executed the program and this process.
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

/// The standard error of the process.
package enum StandardError {
  /// Writes text with one system call, so that the texts of several threads do not mix.
  ///
  /// A text that cannot be written is lost: no other place is left for it.
  package static func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in _ = Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
  }
}
