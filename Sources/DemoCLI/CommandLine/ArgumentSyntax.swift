/// The options that a subcommand accepts, by their names without dashes.
struct ArgumentSyntax {
  /// Options without a value: `--wait`.
  var flags: Set<String> = []
  /// Options with a value: `--sql TEXT` or `--sql=TEXT`.
  var options: Set<String> = []
}
