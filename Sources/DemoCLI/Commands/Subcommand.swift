internal import CommandLineSupport

/// A command such as `watch`, with its arguments.
protocol Subcommand: SendableMetatype {
  /// The name on the command line.
  static var name: String { get }

  /// The purpose of the command, in one line of the overview.
  static var summary: String { get }

  /// The usage, the options and examples.
  static var help: String { get }

  /// The options that the command accepts.
  static var syntax: ArgumentSyntax { get }

  /// Creates the command from its arguments.
  ///
  /// - Throws: ``UsageError`` when the arguments are invalid.
  init(_ arguments: ParsedArguments) throws

  /// Runs the command, and returns when it has ended.
  func run() throws
}
