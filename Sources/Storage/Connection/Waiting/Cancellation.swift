internal import CWellspringSQLite
internal import Synchronization

/// A request from another thread to end the running access of a connection.
///
/// `sqlite3_interrupt` alone is not enough: it has no effect between two statements, or just before
/// a statement's first step. So the request is stored. SQLite's progress handler, the busy handler
/// and the start of every statement read it.
final class Cancellation: Sendable {
  private let requested = Atomic<Bool>(false)

  /// Whether the running access should end.
  var isRequested: Bool { requested.load(ordering: .relaxed) }

  /// Makes or withdraws the request. Callers must withdraw it before the next access.
  func setRequested(_ value: Bool) { requested.store(value, ordering: .relaxed) }

  /// Installs the progress handler on `connection`, which must not outlive this object.
  func install(on connection: OpaquePointer) {
    // A thousand instructions take some microseconds: frequent enough, at no measurable cost.
    sqlite3_progress_handler(
      connection,
      1000,
      { context in
        let cancellation = Unmanaged<Cancellation>.fromOpaque(context!).takeUnretainedValue()
        return cancellation.isRequested ? 1 : 0
      },
      Unmanaged.passUnretained(self).toOpaque()
    )
  }
}
