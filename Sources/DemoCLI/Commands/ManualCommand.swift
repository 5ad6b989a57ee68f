internal import CommandLineSupport

/// `wellspring manual`: the page that `make install` installs.
///
/// The command is not in the usage text.
struct ManualCommand: Subcommand, Equatable {
  static let name = "manual"
  static let summary = "prints the manual page"
  static let help = "Usage:\n  wellspring manual\n"
  static let syntax = ArgumentSyntax()

  init(_ arguments: ParsedArguments) throws {
    if let extra = arguments.positionals.first {
      throw UsageError("manual takes no argument \(extra)")
    }
  }

  func run() throws {
    try Output.standardOutput.write(ManualPage.text(for: Tool.commands))
  }
}
