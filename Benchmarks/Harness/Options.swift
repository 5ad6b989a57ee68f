/// What the arguments of the command ask for.
struct Options {
  /// How the command is called.
  static let usage = """
    usage: Benchmarks [group …] [--only TEXT] [--rounds N] [--processor-time] [--list] [--help]
      group             \(Group.allCases.map(\.rawValue).joined(separator: ", ")), or how one begins; \
    all unless given
      --only TEXT       runs the benchmarks with this in their title
      --rounds N        how many times each side is measured: \(defaultRounds) unless given
      --processor-time  measures the time that the process computes, for a look at synchronous work on a
                        machine that others use too; figures are told in the time that passes
      --list            names the benchmarks, and runs none
    """

  private static let defaultRounds = 21

  /// The groups to run.
  private(set) var groups = Set(Group.allCases)
  /// How many times each side is measured.
  private(set) var rounds = defaultRounds
  /// What the titles of the benchmarks to run hold.
  private(set) var title = ""
  private(set) var wantsProcessorTime = false
  private(set) var wantsList = false
  private(set) var wantsHelp = false

  /// Whether a benchmark is asked for.
  func select(_ benchmark: Benchmark) -> Bool {
    groups.contains(benchmark.group) && (title.isEmpty || benchmark.title.contains(title))
  }

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
      case "--processor-time": wantsProcessorTime = true
      case "--only":
        guard let text = rest.next() else { throw UsageError(description: "--only wants a text") }
        title = text
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
