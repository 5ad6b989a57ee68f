/// A computation over many rows, such as `sum`. SQLite makes one for each group of rows.
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
/// An error that it throws makes the statement fail: see ``DatabaseFunction``.
public protocol DatabaseAggregate: SendableMetatype {
  /// Creates an aggregate that has seen no row.
  init()

  /// Adds a row. `values` are the arguments of the function for this row.
  mutating func step(_ values: [DatabaseValue]) throws

  /// Returns the value over the rows that were added. `nil` stands for NULL.
  func finalize() throws -> (any DatabaseValueConvertible)?
}
