internal import Glibc

/// The command-line tool: finds the subcommand, runs it, and turns errors into exit codes.
enum Tool {
  /// The exit code of the process. Shells and scripts rely on these values.
  enum ExitCode: Int32 {
    /// The command succeeded.
    case success = 0
    /// The command line was valid, but the command failed.
    case failure = 1
    /// The command line was invalid.
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

  /// Runs the command line `arguments`, which do not include the name of the program.
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
      // The reader of the output needs no more of it.
      return .success
    } catch {
      complain(ErrorMessage.text(for: error))
      return .failure
    }
  }

  /// Writes one line to standard error.
  static func complain(_ message: String) {
    // If standard error cannot be written, there is no other place to report it.
    try? Output.standardError.write("DemoCLI: \(DisplayText.escaped(message))\n")
  }

  private static func showUsage() throws -> ExitCode {
    try Output.standardOutput.write(Usage.text)
    return .success
  }
}
