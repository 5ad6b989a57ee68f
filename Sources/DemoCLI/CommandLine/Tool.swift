internal import Glibc

/// The command-line tool: finds the subcommand, runs it, and turns errors into exit codes.
enum Tool {
  /// How the process ends. Shells and scripts rely on these.
  enum ExitCode: Int32 {
    /// The command did what it was asked for.
    case success = 0
    /// The command was understood, and failed.
    case failure = 1
    /// The command line was not understood.
    case usage = 2
  }

  private static func subcommand(named name: String) -> (any Subcommand.Type)? {
    switch name {
    case "watch": WatchCommand.self
    case "demo": DemoCommand.self
    case DemoWriterCommand.name: DemoWriterCommand.self
    default: nil
    }
  }

  /// Runs the command line `arguments`, without the name of the program, to its end.
  static func run(arguments: [String]) -> ExitCode {
    guard let name = arguments.first else {
      try? Output.standardError.write(Usage.text)
      return .usage
    }
    do {
      guard !["help", "--help", "-h"].contains(name) else { return try showUsage() }
      guard let subcommand = subcommand(named: name) else {
        let kind = name.hasPrefix("-") ? "option" : "command"
        throw UsageError("unknown \(kind) \(name)")
      }
      let parsed = try ParsedArguments(Array(arguments.dropFirst()), syntax: subcommand.syntax)
      guard !parsed.asksForHelp else { return try showUsage() }
      try subcommand.init(parsed).run()
      return .success
    } catch let error as UsageError {
      complain("\(error.message); see DemoCLI --help")
      return .usage
    } catch Output.Failure.closed {
      // Whoever read the output has read enough.
      return .success
    } catch {
      complain(ErrorMessage.text(for: error))
      return .failure
    }
  }

  /// Writes one line to standard error.
  static func complain(_ message: String) {
    // There is no other place to say that standard error cannot be written.
    try? Output.standardError.write("DemoCLI: \(DisplayText.escaped(message))\n")
  }

  private static func showUsage() throws -> ExitCode {
    try Output.standardOutput.write(Usage.text)
    return .success
  }
}

/// A command such as `watch`, with its arguments.
protocol Subcommand {
  /// The options that the command takes.
  static var syntax: ArgumentSyntax { get }

  /// Makes the command of its arguments.
  ///
  /// - Throws: ``UsageError`` when they make no sense.
  init(_ arguments: ParsedArguments) throws

  /// Does what the command is for, and returns when it has been done.
  func run() throws
}
