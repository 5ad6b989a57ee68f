/// The options that a subcommand accepts, by their names without dashes.
struct ArgumentSyntax {
  /// Options without a value: `--wait`.
  var flags: Set<String> = []
  /// Options with a value: `--sql TEXT` or `--sql=TEXT`.
  var options: Set<String> = []
  /// Options with a value that can be given several times: `--arg 1 --arg 2`.
  var lists: Set<String> = []

  /// Returns the options of both.
  static func + (left: ArgumentSyntax, right: ArgumentSyntax) -> ArgumentSyntax {
    ArgumentSyntax(
      flags: left.flags.union(right.flags),
      options: left.options.union(right.options),
      lists: left.lists.union(right.lists)
    )
  }
}
