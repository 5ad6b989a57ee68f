/// The parsed arguments of a subcommand.
package struct ParsedArguments: Equatable {
  /// The arguments that are not options, in order.
  package private(set) var positionals: [String] = []
  /// The flags that were given.
  package private(set) var flags: Set<String> = []
  /// The values of the options that were given.
  package private(set) var values: [String: String] = [:]
  /// The values of the options that can be given several times, in order.
  package private(set) var lists: [String: [String]] = [:]
  /// Whether `--help` or `-h` was given.
  package private(set) var asksForHelp = false

  /// Parses `arguments`.
  ///
  /// The argument after an option with a value is that value, even if it starts with dashes, as SQL
  /// can. After `--`, all arguments are positional.
  ///
  /// - Throws: ``UsageError`` for an option that `syntax` does not have, for a repeated option, for
  ///   a missing value, and for a value of an option that takes none.
  package init(_ arguments: [String], syntax: ArgumentSyntax) throws {
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

  /// Adds the value of an option that was given in another way.
  package mutating func add(_ value: String, of option: String) {
    values[option] = value
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
    } else if syntax.lists.contains(name) {
      guard let value = attached ?? rest.popFirst() else {
        throw UsageError("\(option) needs a value")
      }
      lists[name, default: []].append(value)
    } else if syntax.options.contains(name) {
      guard let value = attached ?? rest.popFirst() else {
        throw UsageError("\(option) needs a value")
      }
      guard values.updateValue(value, forKey: name) == nil else {
        throw UsageError("\(option) is given twice")
      }
    } else {
      let names = syntax.flags.union(syntax.options).union(syntax.lists).sorted()
      let hint = Suggestion.hint(for: option, in: (names + ["help"]).map { "--\($0)" })
      throw UsageError("unknown option \(option)\(hint)")
    }
  }
}
