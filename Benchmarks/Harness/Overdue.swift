/// Thrown when an expected event does not occur in time.
struct Overdue: Error, CustomStringConvertible {
  let what: String

  var description: String { "\(what) did not arrive in time" }
}
