/// The error for an invalid command line.
struct UsageError: Error, Equatable {
  var message: String
  /// The name of the command whose arguments are invalid, if there is one.
  var command: String?

  init(_ message: String) {
    self.message = message
  }

  /// The arguments that print what is valid.
  var helpArguments: String { command.map { "help \($0)" } ?? "--help" }
}
