internal import CWellspringSQLite
internal import Synchronization

/// A request from another thread to end the running access of a connection.
///
/// `sqlite3_interrupt` alone is not enough: it has no effect between two statements, or just before
/// a statement's first step. So the request is stored. SQLite's progress handler, the busy handler
/// and the start of every statement read it.
final class Cancellation: Sendable {
  /// Why the access should end.
  enum Request: UInt8 {
    case none
    /// The task that waits for the access was cancelled.
    case cancelled
    /// The database shuts down.
    case shutDown

    /// The error of the access.
    var error: any Error {
      self == .shutDown ? DatabaseError.databaseIsShuttingDown : CancellationError()
    }
  }

  private let requested = Atomic(Request.none.rawValue)

  /// Whether the running access should end.
  var isRequested: Bool { requested.load(ordering: .relaxed) != Request.none.rawValue }

  /// Why the running access should end.
  var request: Request { Request(rawValue: requested.load(ordering: .relaxed)) ?? .none }

  /// Makes or withdraws the request. Callers must withdraw it before the next access.
  func set(_ request: Request) { requested.store(request.rawValue, ordering: .relaxed) }

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
