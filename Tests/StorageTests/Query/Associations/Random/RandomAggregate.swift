import Storage
import TestSupport

/// An aggregate of associated rows, as a column and as a condition.
struct RandomAggregate {
  enum Function: CaseIterable {
    case count, isEmpty, min, max, sum, average, total
  }

  /// The name of the column.
  let name: String
  /// One step to many rows, or two steps.
  let steps: [RandomAssociationTree.Step]
  let function: Function
  /// Associated rows with a smaller value of `v` are left out.
  let minimum: Int?
  /// Rows with fewer associated rows are left out.
  let minimumCount: Int?

  init(
    name: String,
    steps: [RandomAssociationTree.Step],
    using random: inout SeededGenerator
  ) {
    self.name = name
    self.steps = steps
    function = Function.allCases.randomElement(using: &random)!
    minimum = random.chance(40) ? random.number(in: 0..<3) : nil
    minimumCount = random.chance(25) ? random.number(in: 0..<3) : nil
  }
}

// MARK: - Made by hand

extension RandomAggregate {
  /// Returns the aggregate of rows. A row appears in them as often as it is associated.
  func value(of rows: [RandomTables.Values]) -> DatabaseValue {
    let values = rows.map { Int.fromDatabaseValue($0["v"]!)! }
    let sum = values.reduce(0, +)
    switch function {
    case .count: return count(of: rows).databaseValue
    case .isEmpty: return rows.isEmpty.databaseValue
    case .min: return values.min().databaseValue
    case .max: return values.max().databaseValue
    case .sum: return values.isEmpty ? .null : sum.databaseValue
    case .average:
      let average = Double(sum) / Double(values.count)
      return values.isEmpty ? .null : average.databaseValue
    case .total: return Double(sum).databaseValue
    }
  }

  /// Whether a row with these associated rows is left out.
  func excludes(_ rows: [RandomTables.Values]) -> Bool {
    minimumCount.map { count(of: rows) < $0 } ?? false
  }

  private func count(of rows: [RandomTables.Values]) -> Int { Set(rows.map { $0["n"]! }).count }
}

// MARK: - Requests

extension RandomAggregate {
  /// Returns a request with the aggregate.
  func added<Request: DerivableRequest, Origin: RandomMember>(
    to request: Request,
    of type: Origin.Type,
    in members: [any RandomMember.Type]
  ) -> Request where Request.RowDecoder == Origin {
    // All aggregates have one key: they must not be confused with each other.
    let key = "k"
    func direct<End: RandomMember>(_ end: End.Type) -> Request {
      added(Origin.hasMany(end, key: key, using: steps[0].foreignKey), to: request)
    }
    guard steps.count == 2 else { return direct(members[steps[0].destination]) }
    func through<Pivot: RandomMember, End: RandomMember>(
      _ pivot: Pivot.Type,
      _ end: End.Type
    ) -> Request {
      func join<First: Association, Second: Association>(
        _ first: First,
        _ second: Second
      ) -> Request
      where
        First.OriginRowDecoder == Origin, First.RowDecoder == Pivot,
        Second.OriginRowDecoder == Pivot, Second.RowDecoder == End
      {
        added(Origin.hasMany(end, through: first, using: second, key: key), to: request)
      }
      return join(
        steps[0].association(from: type, to: pivot),
        steps[1].association(from: pivot, to: end)
      )
    }
    return through(members[steps[0].destination], members[steps[1].destination])
  }

  private func added<Request: DerivableRequest, Aggregated: AssociationToMany>(
    _ association: Aggregated,
    to request: Request
  ) -> Request where Aggregated.OriginRowDecoder == Request.RowDecoder {
    var association = association
    if let minimum { association = association.filter(Column("v") >= minimum) }
    let column = Column("v")
    let aggregate =
      switch function {
      case .count: association.count
      case .isEmpty: association.isEmpty
      case .min: association.min(column)
      case .max: association.max(column)
      case .sum: association.sum(column)
      case .average: association.average(column)
      case .total: association.total(column)
      }
    let annotated = request.annotated(with: aggregate.forKey(name))
    guard let minimumCount else { return annotated }
    return annotated.having(association.count >= minimumCount)
  }
}

extension RandomAssociationTree.Step {
  fileprivate func association<Origin: RandomMember, End: RandomMember>(
    from origin: Origin.Type,
    to end: End.Type
  ) -> any Association<Origin, End> {
    isReference
      ? Origin.belongsTo(end, key: "x", using: foreignKey)
      : Origin.hasMany(end, key: "x", using: foreignKey)
  }
}
