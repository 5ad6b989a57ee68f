internal import CommandLineSupport
internal import Foundation
internal import Replication

/// The command-line tool for replicas: prints their state from their log.
enum ReplicasTool {
  /// The name of the tool in messages.
  static let name = "wellspring-replicas"

  /// The exit code of the process. Health checks rely on these values.
  enum ExitCode: Int32 {
    /// All is well.
    case healthy = 0
    /// Something is wrong, or the log does not answer.
    case unhealthy = 1
    /// The command line was invalid.
    case usage = 2
  }

  static let help = """
    wellspring-replicas shows the nodes of a replicated database, and its log.

    Usage:
      wellspring-replicas --log URL[,URL …] DATABASE
      wellspring replicas --log URL[,URL …] DATABASE

    Options:
      --log URLS           the addresses of etcd's members, such as
                           http://10.0.0.1:2379; or WELLSPRING_LOG has them
      --prefix TEXT        the beginning of all keys: /wellspring, if not given
      --user NAME          the user of etcd, whose password is in
                           WELLSPRING_LOG_PASSWORD
      --ca FILE            the certificates that sign those of the members (PEM)
      --cert FILE          the certificate of this client (PEM)
      --key FILE           its private key (PEM)
      --snapshots DIR      also list the snapshots in a directory
      --format FORMAT      table, or json
      --node ADDRESS       check this node only: for the check of one service
      --primary            with --node: the node must be the primary
      --min-nodes NUMBER   fewer nodes are a problem (1, if not given)
      --max-lag NUMBER     a node that is more entries behind is a problem
      --max-age SECONDS    a node whose content is older is a problem (30)
      --max-size MEGABYTES a larger log is a problem
      --timeout SECONDS    the longest time for all answers (10)
      -h, --help           show this help
      --version            show the version

    A node says what it does every few seconds, and is gone from the list some
    intervals after it was killed: twenty seconds, if its service has not changed
    that. Exit codes: 0 all is well, 1 there is a problem, which is printed, or the
    log does not answer, 2 invalid arguments.

    """

  /// Runs the command line `arguments`, which do not include the name of the program.
  static func run(arguments: [String]) -> ExitCode {
    do {
      let parsed = try ParsedArguments(arguments, syntax: ReplicasOptions.syntax)
      if parsed.asksForHelp {
        try Output.standardOutput.write(help)
        return .healthy
      }
      if parsed.flags.contains("version") {
        try Output.standardOutput.write("\(name) \(ToolVersion.text)\n")
        return .healthy
      }
      let options = try ReplicasOptions(parsed)
      let log = try options.openLog()
      defer { log.close() }
      endAfter(options.timeout)
      let report = try ReplicasReport(log, options)
      do throws(Output.Failure) {
        try Output.standardOutput.write(options.format == .json ? report.json() : report.table())
      } catch .closed {
        // The reader of the output needs no more of it, and may need the exit code.
      }
      return report.problems.isEmpty ? .healthy : .unhealthy
    } catch let error as UsageError {
      complain("\(error.message); see \(name) --help")
      return .usage
    } catch Output.Failure.closed {
      // The reader of the help needs no more of it.
      return .healthy
    } catch let error as ToolError {
      complain(error.message)
      return .unhealthy
    } catch {
      complain("\(error)")
      return .unhealthy
    }
  }

  /// Ends the process when the log has not answered in time: a health check needs an exit code.
  private static func endAfter(_ seconds: Int) {
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) {
      complain("the log has not answered in \(seconds) seconds")
      exit(ExitCode.unhealthy.rawValue)
    }
  }

  private static func complain(_ message: String) {
    // If standard error cannot be written, no other place is left for the report.
    try? Output.standardError.write("\(name): \(DisplayText.escaped(message))\n")
  }
}
