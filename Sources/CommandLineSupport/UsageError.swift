/// The error for an invalid command line.
package struct UsageError: Error, Equatable {
  package var message: String
  /// The name of the command whose arguments are invalid, if there is one.
  package var command: String?

  package init(_ message: String) {
    self.message = message
  }

  /// The arguments that print the valid usage.
  package var helpArguments: String { command.map { "help \($0)" } ?? "--help" }
}
