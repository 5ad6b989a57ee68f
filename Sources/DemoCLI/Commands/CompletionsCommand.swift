internal import CommandLineSupport

/// `wellspring completions SHELL`: the script that completes commands and options.
struct CompletionsCommand: Subcommand, Equatable {
  static let name = "completions"
  static let summary = "prints the completions for bash, zsh or fish"
  static let help = """
    Usage:
      wellspring completions bash|zsh|fish

    Prints the script with which a shell completes commands, options and files.
    `make install` puts it in place.

    Examples:
      source <(wellspring completions bash)
      wellspring completions fish > ~/.config/fish/completions/wellspring.fish

    """
  static let syntax = ArgumentSyntax()

  let shell: Shell

  init(_ arguments: ParsedArguments) throws {
    guard arguments.positionals.count == 1 else { throw UsageError("completions needs one SHELL") }
    let name = arguments.positionals[0]
    guard let shell = Shell(rawValue: name) else {
      throw UsageError("there are completions for bash, zsh and fish, not for \(name)")
    }
    self.shell = shell
  }

  func run() throws {
    try Output.standardOutput.write(shell.completions(for: Tool.commands))
  }
}
