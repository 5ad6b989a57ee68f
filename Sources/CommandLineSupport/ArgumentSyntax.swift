/// The options that a subcommand accepts, by their names without dashes.
package struct ArgumentSyntax {
  /// Options without a value: `--wait`.
  package var flags: Set<String> = []
  /// Options with a value: `--sql TEXT` or `--sql=TEXT`.
  package var options: Set<String> = []
  /// Options with a value that can be given several times: `--arg 1 --arg 2`.
  package var lists: Set<String> = []

  package init(flags: Set<String> = [], options: Set<String> = [], lists: Set<String> = []) {
    (self.flags, self.options, self.lists) = (flags, options, lists)
  }

  /// Returns the options of both.
  package static func + (left: ArgumentSyntax, right: ArgumentSyntax) -> ArgumentSyntax {
    ArgumentSyntax(
      flags: left.flags.union(right.flags),
      options: left.options.union(right.options),
      lists: left.lists.union(right.lists)
    )
  }
}
