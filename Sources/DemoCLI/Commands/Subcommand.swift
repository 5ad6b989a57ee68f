/// A command such as `watch`, with its arguments.
protocol Subcommand {
  /// The options that the command accepts.
  static var syntax: ArgumentSyntax { get }

  /// Creates the command from its arguments.
  ///
  /// - Throws: ``UsageError`` when the arguments are invalid.
  init(_ arguments: ParsedArguments) throws

  /// Runs the command, and returns when it has ended.
  func run() throws
}
