internal import CommandLineSupport

/// `wellspring exec FILE QUERY --on-change COMMAND`: runs a command for each change.
struct ExecCommand: Subcommand, Equatable {
  static let name = "exec"
  static let summary = "runs a command whenever a table or the result of a query changes"
  static let help = """
    Usage:
      wellspring exec FILE TABLE --on-change COMMAND [OPTION]…
      wellspring exec FILE --sql "SELECT …" --on-change COMMAND [OPTION]…

    Runs COMMAND in a shell for each change of the result, one run at a time. Its
    standard input are the rows that were inserted, updated or removed, as `watch
    --changes` writes them. Commits during a run are not lost: the next run gets
    what they have changed together. So a row that is updated twice during a run is
    one change, and a row that is inserted and removed again is no change. A run
    that fails is reported on standard error, and repeated with the same changes
    before the next change starts the next run. COMMAND ends with this tool. SQL can
    also stand where TABLE stands. As a systemd unit with Type=notify, the tool is
    started once it notices each commit.

    Options:
      --on-change COMMAND  the command to run
      --format FORMAT      the form of the changes: ndjson (a line for each row),
                           json, csv, table, line, diff
      --retry              repeat a run that fails after a quarter of a second, half
                           a second and so on, up to a minute, until it succeeds
      --state STATE        keep the rows that COMMAND has got in the file STATE.
                           After a restart, the first run gets what has changed
                           meanwhile. Rows need a row id, a primary key or --key. A
                           run can be repeated after a crash of this tool
      --count N            end after N runs, with exit code 1 if the last one failed
      --where SQL, --order SQL, --limit N, --columns A,B   as for watch TABLE
      --arg VALUE, --key A,B                               as for watch --sql

    Examples:
      wellspring exec shop.sqlite item --on-change 'make -s site'
      wellspring exec shop.sqlite "SELECT name FROM item WHERE stock = 0" \\
        --on-change 'if grep inserted >new; then mail -s sold-out me <new; fi'

    """
  static let syntax =
    ArgumentSyntax(flags: ["retry"], options: ["on-change", "state", "format", "count"])
    + WatchedQuery.syntax
    + WatchedFile.syntax

  let file: WatchedFile
  let query: WatchedQuery
  let command: ShellCommand
  let stream: StreamOptions
  let retries: Bool
  let statePath: String?

  init(_ arguments: ParsedArguments) throws {
    let positionals = arguments.positionals
    file = try WatchedFile(arguments, command: Self.name)
    guard positionals.count <= 2 else { throw UsageError("exec takes one FILE and one QUERY") }
    query = try WatchedQuery(text: positionals.dropFirst().first, arguments, command: Self.name)
    guard let text = arguments.values["on-change"] else {
      throw UsageError("exec needs --on-change")
    }
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw UsageError("--on-change needs a command")
    }
    command = ShellCommand(text: text)
    stream = try .named(arguments) ?? StreamOptions()
    retries = arguments.flags.contains("retry")
    statePath = arguments.values["state"]
    guard statePath != "", statePath != file.path else {
      throw UsageError("--state needs a file of its own")
    }
  }

  func run() throws {
    ProcessSignals.block()
    var writer = CommandWriter(command: command, format: stream.format ?? .ndjson)
    writer.retries = retries
    writer.state = try statePath.map { try ExecState(path: $0, query: query) }
    let display = StreamDisplay(writers: [writer], limit: stream.count)
    try Presenter.run(query, of: file, mustComplete: stream.count != nil) { _ in display }
  }
}
