import Storage
import TestSupport

/// A random tree of associations over ``RandomTables``.
struct RandomAssociationTree {
  enum Role: CaseIterable {
    case required, optional, all
  }

  /// How rows of two tables belong together.
  struct Step {
    let origin: Int
    let destination: Int
    /// The columns of the row that are compared with the columns of the associated row.
    let columns: [(own: String, associated: String)]
    /// Whether the row refers to the associated one.
    let isReference: Bool
    let isToOne: Bool
  }

  /// One association of a table, with its refinements.
  struct Branch {
    let name: String
    let role: Role
    /// One step, or two where the association leads through a table.
    let steps: [Step]
    /// Associated rows with a smaller value of `v` are left out.
    let minimum: Int?
    let isDescending: Bool
    /// The number of associated rows of each row.
    let limit: Int?
    /// The selected columns, besides `n`; `nil` for all.
    let selection: [String]?
    let tree: RandomAssociationTree

    var destination: Int { steps.last!.destination }
  }

  let table: Int
  private(set) var branches: [Branch] = []
  /// The columns that aggregates add, and the rows that they leave out.
  private(set) var aggregates: [RandomAggregate] = []

  /// The number of statements that fetch the tree.
  var statementCount: Int { 1 + levelCount }

  private var levelCount: Int {
    branches.reduce(0) { $0 + ($1.role == .all ? 1 : 0) + $1.tree.levelCount }
  }

  init(
    table: Int,
    depth: Int,
    in tables: RandomTables,
    names: inout Int,
    using random: inout SeededGenerator
  ) {
    self.table = table
    for _ in 0..<random.number(in: 0..<3) where random.chance(50) {
      guard let steps = Self.steps(from: table, in: tables, using: &random),
        steps.count > 1 || !steps[0].isReference
      else { continue }
      names += 1
      aggregates.append(RandomAggregate(name: "a\(names)", steps: steps, using: &random))
    }
    guard depth > 0 else { return }
    for _ in 0..<random.number(in: 0..<3) {
      guard let steps = Self.steps(from: table, in: tables, using: &random) else { continue }
      let isToOne = steps.allSatisfy(\.isToOne)
      names += 1
      let name = "l\(names)"
      let columns = tables.tables[steps.last!.destination].columns
      branches.append(
        Branch(
          name: name,
          role: isToOne ? (random.chance(50) ? .required : .optional) : .all,
          steps: steps,
          minimum: random.chance(40) ? random.number(in: 0..<3) : nil,
          isDescending: random.chance(50),
          limit: !isToOne && random.chance(30) ? random.number(in: 1..<4) : nil,
          selection: random.chance(30) ? columns.filter { _ in random.chance(50) } : nil,
          tree: RandomAssociationTree(
            table: steps.last!.destination,
            depth: depth - 1,
            in: tables,
            names: &names,
            using: &random
          )
        )
      )
    }
  }

  private static func steps(
    from table: Int,
    in tables: RandomTables,
    using random: inout SeededGenerator
  ) -> [Step]? {
    guard let first = step(from: table, in: tables, using: &random) else { return nil }
    guard random.chance(35),
      let second = step(from: first.destination, in: tables, using: &random)
    else { return [first] }
    return [first, second]
  }

  private static func step(
    from table: Int,
    in tables: RandomTables,
    using random: inout SeededGenerator
  ) -> Step? {
    var steps = tables.tables[table].links.map { link in
      Step(
        origin: table,
        destination: link.target,
        columns: Array(zip(link.columns, tables.tables[link.target].key)),
        isReference: true,
        isToOne: true
      )
    }
    for (index, other) in tables.tables.enumerated() {
      for link in other.links where link.target == table {
        steps.append(
          Step(
            origin: table,
            destination: index,
            columns: Array(zip(tables.tables[table].key, link.columns)),
            isReference: false,
            isToOne: link.isUnique
          )
        )
      }
    }
    return steps.randomElement(using: &random)
  }
}
