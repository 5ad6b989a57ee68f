/// The text that `wellspring --help` prints.
enum Usage {
  static func text(for commands: [any Subcommand.Type]) -> String {
    let width = commands.map { $0.name.count }.max() ?? 0
    let list = commands.map { command in
      let padding = String(repeating: " ", count: width - command.name.count)
      return "  \(command.name)\(padding)  \(command.summary)\n"
    }
    return """
      wellspring shows what is in a SQLite file, live, whichever process writes to
      it. The file is only changed by load, and never locked for longer than one read.

      Usage:
        wellspring FILE
        wellspring COMMAND …
        wellspring help COMMAND
        wellspring --version

      Commands:
      \(list.joined())
      wellspring FILE shows the tables and views of FILE with their numbers of rows,
      live; enter shows one of them. SQL can stand where watch, exec, query and
      explain take a TABLE.

      Options of all commands:
        --             the end of the options, for a table whose name starts with
                       a dash
        -h, --help     show the help of the command
        --wait         for commands that read: wait until FILE and TABLE exist
        --immutable    for commands that read: FILE is on a read-only file system,
                       and no process changes it. SQLite then needs no lock, and
                       ignores a WAL

      Ctrl-C ends a command. Exit codes: 0 success, 1 failure, 2 invalid arguments,
      130 ended by a signal before --count or --once was reached. With the environment
      variable NO_COLOR, there are no colours; without TERM, or with TERM=dumb,
      nothing is drawn in place.

      """
  }
}
