internal import CWellspringSQLite

/// A computation over many rows, such as `sum`: SQLite makes one for each group of rows.
///
///     struct MaxLength: DatabaseAggregate {
///       private var maximum: Int?
///
///       mutating func step(_ values: [DatabaseValue]) {
///         guard let text = String.fromDatabaseValue(values[0]) else { return }
///         maximum = max(maximum ?? 0, text.count)
///       }
///
///       func finalize() -> (any DatabaseValueConvertible)? { maximum }
///     }
///
///     let maxLength = DatabaseFunction("maxLength", argumentCount: 1, aggregate: MaxLength.self)
///     db.add(function: maxLength)
///     Player.select { maxLength($0.name) }
///     // SELECT maxLength("name") FROM "player"
///
/// What it throws makes the statement fail: see ``DatabaseFunction``.
public protocol DatabaseAggregate: SendableMetatype {
  /// Makes an aggregate that has seen no row.
  init()

  /// Takes the arguments of one more row.
  mutating func step(_ values: [DatabaseValue]) throws

  /// The value over the rows that were taken; `nil` stands for NULL.
  func finalize() throws -> (any DatabaseValueConvertible)?
}

/// An aggregate that can give rows back, so that it serves as a window function: the value of a moving part of
/// the rows is computed without beginning anew for each of them.
///
///     struct Total: DatabaseWindowAggregate {
///       private var total = 0
///
///       mutating func step(_ values: [DatabaseValue]) { total += Int.fromDatabaseValue(values[0]) ?? 0 }
///       mutating func remove(_ values: [DatabaseValue]) { total -= Int.fromDatabaseValue(values[0]) ?? 0 }
///       func finalize() -> (any DatabaseValueConvertible)? { total }
///     }
///
///     // SELECT total("score") OVER (ORDER BY "id" ROWS 2 PRECEDING) FROM "player"
///
/// ``DatabaseAggregate/finalize()`` is called for each row of the result.
public protocol DatabaseWindowAggregate: DatabaseAggregate {
  /// Gives back the row that was taken first, of those that were not given back.
  mutating func remove(_ values: [DatabaseValue]) throws
}

extension DatabaseFunction {
  /// Makes a function that computes a value of many rows; with a ``DatabaseWindowAggregate``, of the rows of
  /// a window too.
  ///
  /// - Parameters:
  ///   - name: The name, by which SQL calls the function.
  ///   - argumentCount: How many arguments it takes; any number of them unless given.
  ///   - pure: Whether it gives the same result for the same rows always.
  ///   - aggregate: The type of the computation.
  public init<Aggregate: DatabaseAggregate>(
    _ name: String,
    argumentCount: Int? = nil,
    pure: Bool = false,
    aggregate: Aggregate.Type
  ) {
    let windowAggregate = aggregate as? any DatabaseWindowAggregate.Type
    self.init(
      name,
      argumentCount: argumentCount,
      pure: pure,
      kind: windowAggregate?.windowFunction
        ?? AggregateFunction(givesRowsBack: false) { AggregateRun(Aggregate()) }
    )
  }
}

extension DatabaseWindowAggregate {
  fileprivate static var windowFunction: AggregateFunction {
    AggregateFunction(givesRowsBack: true) { AggregateRun(Self()) { try $0.remove($1) } }
  }
}
