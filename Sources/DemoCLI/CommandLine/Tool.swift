internal import CommandLineSupport
internal import Glibc
internal import Storage

/// The command-line tool: finds the subcommand, runs it, and turns errors into exit codes.
enum Tool {
  /// The name of the tool in messages.
  static let name = "wellspring"

  /// The version of the tool, which is the version of the library.
  static let version = ToolVersion.text

  /// The exit code of the process. Shells and scripts rely on these values.
  enum ExitCode: Int32 {
    /// The command succeeded.
    case success = 0
    /// The command line was valid, but the command failed.
    case failure = 1
    /// The command line was invalid.
    case usage = 2
    /// A signal has ended the command before it was complete. Shells use this value for Ctrl-C.
    case interrupted = 130
  }

  /// The commands of the overview, in its order.
  static let commands: [any Subcommand.Type] = [
    WatchCommand.self, TailCommand.self, ExecCommand.self, QueryCommand.self, SchemaCommand.self,
    DumpCommand.self, ExplainCommand.self, LoadCommand.self, DemoCommand.self,
    ReplicasCommand.self, CompletionsCommand.self,
  ]

  private static func subcommand(named name: String) -> (any Subcommand.Type)? {
    (commands + [DemoWriterCommand.self, ManualCommand.self]).first { $0.name == name }
  }

  /// Runs the command line `arguments`, which do not include the name of the program.
  static func run(arguments: [String]) -> ExitCode {
    guard let first = arguments.first else {
      try? Output.standardError.write(Usage.text(for: commands))
      return .usage
    }
    let rest = Array(arguments.dropFirst())
    do {
      switch first {
      case "help", "--help", "-h":
        try help(rest)
      case "--version":
        let sqlite = try DatabaseQueue().read {
          try String.fetchOne($0, sql: "SELECT sqlite_version()")
        }
        try Output.standardOutput.write("\(name) \(version) (SQLite \(sqlite ?? "unknown"))\n")
      default:
        if subcommand(named: first) == nil, isFile(first, isAwaited: rest.contains("--wait")) {
          try run(WatchCommand.self, arguments)
        } else {
          try run(findOrFile(first), rest)
        }
      }
      return .success
    } catch let error as UsageError {
      complain("\(error.message); see \(name) \(error.helpArguments)")
      return .usage
    } catch Output.Failure.closed {
      // The reader of the output needs no more of it.
      return .success
    } catch let failure as SilentFailure {
      return failure.exitCode
    } catch {
      complain(ErrorMessage.text(for: error))
      return .failure
    }
  }

  /// Returns whether the first argument is a file to show rather than a command. A file that is
  /// waited for may be missing, unless its name looks like a misspelled command.
  private static func isFile(_ text: String, isAwaited: Bool) -> Bool {
    guard !text.hasPrefix("-"), !text.isEmpty else { return false }
    if text.contains("/") || text.contains(".") || !WatchedFile(path: text).isMissing {
      return true
    }
    return isAwaited && Suggestion.nearest(to: text, in: commands.map { $0.name }) == nil
  }

  private static func run(_ subcommand: any Subcommand.Type, _ arguments: [String]) throws {
    if let forwarded = subcommand as? any ForwardedSubcommand.Type,
      !arguments.contains("-h"), !arguments.contains("--help")
    {
      return try forwarded.become(arguments)
    }
    let command: any Subcommand
    do {
      let parsed = try ParsedArguments(arguments, syntax: subcommand.syntax)
      guard !parsed.asksForHelp else {
        return try Output.standardOutput.write(subcommand.help)
      }
      try checkIsFile(parsed.positionals.first)
      command = try subcommand.init(parsed)
    } catch var error as UsageError {
      error.command = subcommand.name
      throw error
    }
    try command.run()
  }

  /// The library opens a database in memory for this path, which no other process could see.
  private static func checkIsFile(_ path: String?) throws {
    guard path == ":memory:" else { return }
    throw UsageError(
      ":memory: is a database in memory, and \(name) needs a file (./:memory: is a file of this name)"
    )
  }

  private static func help(_ arguments: [String]) throws {
    guard let name = arguments.first, name != "help" else {
      return try Output.standardOutput.write(Usage.text(for: commands))
    }
    try Output.standardOutput.write(find(name).help)
  }

  private static func findOrFile(_ name: String) throws -> any Subcommand.Type {
    do {
      return try find(name)
    } catch var error as UsageError {
      let isHinted = error.message.hasSuffix("?)")
      if !name.hasPrefix("-"), !isHinted { error.message += ", and no file has this name" }
      throw error
    }
  }

  private static func find(_ name: String) throws -> any Subcommand.Type {
    guard let subcommand = subcommand(named: name) else {
      let kind = name.hasPrefix("-") ? "option" : "command"
      let names = commands.map { $0.name } + ["help", "--help", "--version"]
      let hint = Suggestion.hint(for: name, in: names)
      throw UsageError("unknown \(kind) \(name)\(hint)")
    }
    return subcommand
  }

  /// Writes one line to standard error.
  static func complain(_ message: String) {
    // If standard error cannot be written, no other place is left for the report.
    try? Output.standardError.write("\(name): \(DisplayText.escaped(message))\n")
  }
}
