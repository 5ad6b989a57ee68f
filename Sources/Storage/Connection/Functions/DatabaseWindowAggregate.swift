/// An aggregate from which rows can be removed, so that it serves as a window function: the value
/// over a moving window is computed without starting over for each row.
///
///     struct Total: DatabaseWindowAggregate {
///       private var total = 0
///
///       mutating func step(_ values: [DatabaseValue]) {
///         total += Int.fromDatabaseValue(values[0]) ?? 0
///       }
///
///       mutating func remove(_ values: [DatabaseValue]) {
///         total -= Int.fromDatabaseValue(values[0]) ?? 0
///       }
///
///       func finalize() -> (any DatabaseValueConvertible)? { total }
///     }
///
///     // SELECT total("score") OVER (ORDER BY "id" ROWS 2 PRECEDING) FROM "player"
///
/// SQLite calls ``DatabaseAggregate/finalize()`` for each row of the result.
public protocol DatabaseWindowAggregate: DatabaseAggregate {
  /// Removes the oldest row that was added and not yet removed. `values` are the arguments of the
  /// function for this row.
  mutating func remove(_ values: [DatabaseValue]) throws
}
