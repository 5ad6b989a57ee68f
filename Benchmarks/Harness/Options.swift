/// What the arguments of the command ask for.
struct Options {
  /// How the command is called.
  static let usage = """
    usage: Benchmarks [group …] [--rounds N] [--list] [--help]
      group       \(Group.allCases.map(\.rawValue).joined(separator: ", ")), or how one begins; \
    all unless given
      --rounds N  how many times each side is measured: \(defaultRounds) unless given
      --list      names the benchmarks, and runs none
    """

  private static let defaultRounds = 21

  /// The groups to run.
  private(set) var groups = Set(Group.allCases)
  /// How many times each side is measured.
  private(set) var rounds = defaultRounds
  private(set) var wantsList = false
  private(set) var wantsHelp = false

  /// Arguments that mean nothing.
  struct UsageError: Error, CustomStringConvertible {
    let description: String
  }

  /// Reads the arguments of the command.
  init(arguments: [String]) throws(UsageError) {
    var named: Set<Group> = []
    var rest = arguments.makeIterator()
    while let argument = rest.next() {
      switch argument {
      case "--help", "-h": wantsHelp = true
      case "--list": wantsList = true
      case "--rounds":
        guard let number = rest.next().flatMap({ Int($0) }), number > 0 else {
          throw UsageError(description: "--rounds wants a number from 1 on")
        }
        rounds = number
      default:
        let matches = Group.allCases.filter { !argument.isEmpty && $0.rawValue.hasPrefix(argument) }
        guard !matches.isEmpty else {
          throw UsageError(description: "unknown argument: \(argument)")
        }
        named.formUnion(matches)
      }
    }
    if !named.isEmpty { groups = named }
  }
}
