internal import CWellspringSQLite
internal import Synchronization

/// A request from another thread to end the running access of a connection.
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
