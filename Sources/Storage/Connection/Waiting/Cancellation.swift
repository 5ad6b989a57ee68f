internal import CWellspringSQLite
internal import Synchronization
internal import WellspringSystem

/// A request from another thread to end the running access of a connection, and the deadline of the
/// running statement.
///
/// `sqlite3_interrupt` alone is not enough: it has no effect between two statements, or just before
/// a statement's first step. So the request is stored. SQLite's progress handler, the busy handler
/// and the start of every statement read it.
final class Cancellation: Sendable {
  /// Why the access should end.
  enum Request: UInt8, AtomicRepresentable {
    case none
    /// The task that waits for the access was cancelled.
    case cancelled
    /// The database shuts down.
    case shutDown

    /// The error of the access; `nil` without a request.
    var error: (any Error)? {
      switch self {
      case .none: nil
      case .cancelled: CancellationError()
      case .shutDown: DatabaseError.databaseIsShuttingDown
      }
    }
  }

  private let requested = Atomic(Request.none)

  /// When the running statement must end, in nanoseconds of the monotonic clock; the largest number
  /// without a limit. Only the thread of the access uses it.
  private let deadline = Atomic(UInt64.max)

  /// Whether the running access should end.
  var isRequested: Bool { request != .none }

  /// Why the running access should end.
  var request: Request { requested.load(ordering: .relaxed) }

  /// Makes or withdraws the request. Callers must withdraw it before the next access.
  func set(_ request: Request) { requested.store(request, ordering: .relaxed) }

  /// Throws the error of the access, if it should end.
  func check() throws {
    if let error = request.error { throw error }
  }

  /// Withdraws the request, and returns it.
  func take() -> Request { requested.exchange(.none, ordering: .relaxed) }

  /// Makes a request again that was withdrawn, unless there is a newer one.
  func restore(_ request: Request) { if !isRequested { set(request) } }

  /// Whether the running statement has a limit, and has passed it.
  var isPastDeadline: Bool {
    let deadline = deadline.load(ordering: .relaxed)
    return deadline != .max && MonotonicClock.now >= deadline
  }

  /// Lets statements run for some nanoseconds from now.
  func setDeadline(after nanoseconds: UInt64) {
    let (sum, overflows) = MonotonicClock.now.addingReportingOverflow(nanoseconds)
    deadline.store(overflows ? .max : sum, ordering: .relaxed)
  }

  /// Lets statements run for ever.
  func removeDeadline() { deadline.store(.max, ordering: .relaxed) }

  /// Installs the progress handler on `connection`, which must not outlive this object.
  func install(on connection: OpaquePointer) {
    // A thousand instructions take some microseconds: frequent enough, at no measurable cost.
    sqlite3_progress_handler(
      connection,
      1000,
      { context in
        let cancellation = Unmanaged<Cancellation>.fromOpaque(context!).takeUnretainedValue()
        return cancellation.isRequested || cancellation.isPastDeadline ? 1 : 0
      },
      Unmanaged.passUnretained(self).toOpaque()
    )
  }
}
