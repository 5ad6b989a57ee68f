import Replication

/// The name and the text of an error that a log throws.
struct NamedFailure {
  var name = ""
  var text = ""

  /// Runs a call, which must throw.
  init(_ body: () throws -> Void) {
    do {
      try body()
    } catch let error as ReplicationLogError {
      text = error.description
      name =
        switch error {
        case .unavailable: "unavailable"
        case .trimmed: "trimmed"
        case .lost: "lost"
        case .tooLarge: "tooLarge"
        case .full: "full"
        case .closed: "closed"
        case .unexpected: "unexpected"
        case .anotherLog: "anotherLog"
        case .authentication: "authentication"
        }
    } catch {
      text = "\(error)"
    }
  }
}
