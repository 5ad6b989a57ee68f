/// The options of the command line.
struct Options {
  /// The usage text.
  static let usage = """
    usage: Benchmarks [group …] [--only TEXT] [--rounds N] [--processor-time] [--enforce]
                      [--once] [--csv] [--list] [--help]
      group             \(Group.allCases.map(\.rawValue).joined(separator: ", ")), or a prefix of one; \
    all but scale by default
      --only TEXT       runs only the benchmarks whose title contains the text
      --rounds N        how many times each side is measured: \(defaultRounds) by default
      --processor-time  measures CPU time instead of elapsed time: useful for synchronous work on a
                        busy machine; the limits are meant for elapsed time
      --enforce         runs only the benchmarks whose ratios have a reserve, and fails if one means a
                        loss of speed even on a busy machine
      --once            runs each side once and measures nothing: checks that both have one result
      --csv             prints comma-separated values, with times in seconds
      --list            lists the benchmarks without running them

    Benchmarks many       measures what very much of something costs: see Benchmarks many --help
    Benchmarks latencies  prints the times from 2,000 commits of another process to their callbacks
    Benchmarks failovers  prints for how long replicas cannot write when something ends
    """

  private static let defaultRounds = 21

  /// The groups to run.
  private(set) var groups = Set(Group.allCases).subtracting([.scale])
  /// How many times each side is measured.
  private(set) var rounds = defaultRounds
  /// A text that the titles of the benchmarks to run contain.
  private(set) var title = ""
  private(set) var wantsProcessorTime = false
  private(set) var enforcesLimits = false
  private(set) var runsOnce = false
  private(set) var wantsCSV = false
  private(set) var wantsList = false
  private(set) var wantsHelp = false

  /// Returns whether a benchmark is selected.
  func select(_ benchmark: Benchmark) -> Bool {
    (benchmark.enforcedLimit != nil || !enforcesLimits) && groups.contains(benchmark.group)
      && (title.isEmpty || benchmark.title.contains(title))
  }

  /// Thrown for invalid arguments.
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
      case "--once": runsOnce = true
      case "--csv": wantsCSV = true
      case "--list": wantsList = true
      case "--processor-time": wantsProcessorTime = true
      case "--enforce": enforcesLimits = true
      case "--only":
        guard let text = rest.next() else {
          throw UsageError(description: "--only requires a text")
        }
        title = text
      case "--rounds":
        guard let number = rest.next().flatMap({ Int($0) }), number > 0 else {
          throw UsageError(description: "--rounds requires a number of at least 1")
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
