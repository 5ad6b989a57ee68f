internal import CWellspringSQLite
internal import Synchronization

/// The wish of another thread that the access of a connection end.
///
/// `sqlite3_interrupt` alone is not enough: it does nothing when it comes between two statements, or
/// just before a statement's first step. So the wish is kept, and asked for by SQLite's progress
/// handler, by the busy handler, and at the start of every statement.
final class Cancellation: Sendable {
  private let requested = Atomic<Bool>(false)

  /// Whether the running access shall end.
  var isRequested: Bool { requested.load(ordering: .relaxed) }

  /// Sets or takes back the wish. Callers see to it that it is taken back before the next access.
  func setRequested(_ value: Bool) { requested.store(value, ordering: .relaxed) }

  /// Starts to stop the statements of `connection`, which must not outlive this object.
  func install(on connection: OpaquePointer) {
    // A thousand instructions take some microseconds, which is often enough and costs nothing.
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
