internal import CommandLineSupport
internal import Glibc

/// A command that another program runs, which gets all arguments as they are.
protocol ForwardedSubcommand: Subcommand {
  /// Becomes the other program.
  ///
  /// - Throws: `ToolError` when it cannot be started.
  static func become(_ arguments: [String]) throws
}

/// `wellspring replicas …`: the nodes of a replicated database, by `wellspring-replicas`, so that
/// this tool needs no libcurl.
struct ReplicasCommand: ForwardedSubcommand {
  static let name = "replicas"
  static let summary = "shows the nodes of a replicated database, and its log"
  static let help = """
    Usage:
      wellspring replicas --log URL[,URL …] DATABASE

    Shows the nodes of a replicated database with their roles, places and lags, the
    size of the log, and what is wrong; --format json is for programs, and the exit
    code for health checks. The program wellspring-replicas does it, which
    `make install-replicas` installs: wellspring-replicas --help shows the options.

    Examples:
      wellspring replicas --log http://10.0.0.1:2379 shop
      wellspring replicas --log http://10.0.0.1:2379 shop --node http://10.0.0.5:80

    """
  static let syntax = ArgumentSyntax()

  private static let program = "wellspring-replicas"

  init(_ arguments: ParsedArguments) throws {}

  func run() throws {}

  static func become(_ arguments: [String]) throws {
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    // Beside this program first: both may be in a directory that is not in PATH.
    var code = ENOENT
    if let directory {
      execv("\(directory)/\(program)", &words)
      code = errno
    }
    execvp(program, &words)
    if code == ENOENT { code = errno }
    guard code == ENOENT else {
      throw ToolError("cannot start \(program): \(String(cString: strerror(code)))")
    }
    throw ToolError(
      "\(program) is not installed: `make install-replicas` in the sources of Wellspring installs it"
    )
  }

  /// The directory of this program.
  private static var directory: String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &bytes, bytes.count)
    guard count > 0 else { return nil }
    let path = String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return path.lastIndex(of: "/").map { String(path[..<$0]) }
  }
}
