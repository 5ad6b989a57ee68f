/// The options that a subcommand takes, by their names without dashes.
struct ArgumentSyntax {
  /// Options without a value: `--wait`.
  var flags: Set<String> = []
  /// Options with a value: `--sql TEXT` or `--sql=TEXT`.
  var options: Set<String> = []
}

/// The arguments of a subcommand, sorted out.
struct ParsedArguments: Equatable {
  /// What is no option, in order.
  private(set) var positionals: [String] = []
  /// The flags that were given.
  private(set) var flags: Set<String> = []
  /// The values of the options that were given.
  private(set) var values: [String: String] = [:]
  /// Whether `--help` or `-h` was given.
  private(set) var asksForHelp = false

  /// Sorts out `arguments`.
  ///
  /// The word after an option with a value is its value, whatever it looks like: SQL may begin with
  /// dashes. After `--` everything is positional.
  ///
  /// - Throws: ``UsageError`` for an option that `syntax` does not have, for one that is given
  ///   twice, for a missing value, and for a value where none belongs.
  init(_ arguments: [String], syntax: ArgumentSyntax) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        positionals += rest
        return
      } else if argument == "-h" || argument == "--help" {
        asksForHelp = true
      } else if argument.hasPrefix("-"), argument != "-" {
        try parseOption(argument, rest: &rest, syntax: syntax)
      } else {
        positionals.append(argument)
      }
    }
  }

  private mutating func parseOption(
    _ argument: String,
    rest: inout ArraySlice<String>,
    syntax: ArgumentSyntax
  ) throws {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let option = String(parts[0])
    let name = option.hasPrefix("--") ? String(option.dropFirst(2)) : ""
    let attached = parts.count == 2 ? String(parts[1]) : nil
    if syntax.flags.contains(name) {
      guard attached == nil else { throw UsageError("\(option) takes no value") }
      guard flags.insert(name).inserted else { throw UsageError("\(option) is given twice") }
    } else if syntax.options.contains(name) {
      guard let value = attached ?? rest.popFirst() else {
        throw UsageError("\(option) needs a value")
      }
      guard values.updateValue(value, forKey: name) == nil else {
        throw UsageError("\(option) is given twice")
      }
    } else {
      throw UsageError("unknown option \(option)")
    }
  }
}
