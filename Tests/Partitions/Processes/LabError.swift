/// Why the lab cannot continue.
enum LabError: Error, CustomStringConvertible {
  /// The machine allows no network namespaces, or no devices in them.
  case notAllowed(String)
  /// A command has failed.
  case command(String)
  /// Something did not happen in time.
  case overdue(String)
  /// The arguments of the command line are wrong.
  case usage(String)

  var description: String {
    switch self {
    case .notAllowed(let reason): "network namespaces are not allowed here: \(reason)"
    case .command(let text): text
    case .overdue(let what): "\(what) did not come in time"
    case .usage(let text): text
    }
  }
}
