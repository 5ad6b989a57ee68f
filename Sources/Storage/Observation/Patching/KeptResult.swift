/// The result of a query that is kept for the next patch.
enum KeptResult<Element>: Sendable {
  case rows(PatchedResult<Element>)
  /// The rows are counted: the element is made of their number.
  case number(NumberResult)
  /// The rows are groups, or are about all rows.
  case groups(AggregateResult<Element>)
  /// The rows are those of several queries.
  case compound(CompoundResult<Element>)

  /// The values of the query's parameters.
  var arguments: [DatabaseValue] {
    switch self {
    case .rows(let rows): rows.arguments
    case .number(let number): number.arguments
    case .groups(let groups): groups.arguments
    case .compound(let compound): compound.arguments
    }
  }

  /// The bytes that are held beside the value.
  var memory: Int {
    switch self {
    case .rows(let rows): rows.memory
    case .number(let number): number.rows.memory
    case .groups(let groups): groups.rows.memory
    case .compound(let compound): compound.memory
    }
  }

  /// How the result is patched, line by line.
  var description: String {
    switch self {
    case .rows(let rows): rows.plan.description()
    case .number(let number): number.plan.description(of: "the number of")
    case .groups(let groups): groups.plan.description(of: "groups or aggregates of")
    case .compound(let compound): compound.plans.map { $0.description() }.joined(separator: "\n")
    }
  }

  /// Whether a second statement read the rows to keep the result.
  var takesSecondRun: Bool {
    switch self {
    case .rows, .number, .compound: false
    case .groups: true
    }
  }
}
