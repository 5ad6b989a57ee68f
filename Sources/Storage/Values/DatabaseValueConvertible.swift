public import FoundationEssentials

/// A type whose values can be stored in a column and read from it.
///
/// A custom type converts to and from one of SQLite's storage classes:
///
///     struct Celsius: DatabaseValueConvertible {
///       var degrees: Double
///       var databaseValue: DatabaseValue { degrees.databaseValue }
///       static func fromDatabaseValue(_ value: DatabaseValue) -> Celsius? {
///         Double.fromDatabaseValue(value).map(Celsius.init)
///       }
///     }
///
/// Types with a raw value and `Codable` types get both conversions for free. A type with a raw
/// value is stored as that value, a `Codable` type as JSON.
///
///     enum Color: String, DatabaseValueConvertible { case red, white, rose }
///     struct Address: Codable, DatabaseValueConvertible { var street, city: String }
///
/// Conversions are strict. A value that does not fit the type gives `nil`, never a substitute: TEXT
/// is never read as the number 0.
public protocol DatabaseValueConvertible: Fetchable, TypedOperand {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  associatedtype OperandValue = Self

  /// The type with all levels of `Optional` removed.
  associatedtype Unwrapped: DatabaseValueConvertible = Self where Unwrapped.Unwrapped == Unwrapped

  /// The type of a column that stores such values, or `nil` to leave it to the table definition.
  static var databaseColumnType: Database.ColumnType? { get }

  /// The value to store.
  var databaseValue: DatabaseValue { get }

  /// Converts a stored value, or returns `nil` when it does not fit the type.
  static func fromDatabaseValue(_ value: DatabaseValue) -> Self?

  /// Converts a value that SQLite still owns; otherwise the same as ``fromDatabaseValue(_:)``.
  ///
  /// The default implementation copies the value and calls ``fromDatabaseValue(_:)``. A type that
  /// is decoded very often saves the copy by reading `column` directly.
  static func fromColumnValue(_ column: ColumnValue) -> Self?

  /// Binds the value to a parameter of a statement.
  ///
  /// The default implementation binds ``databaseValue``.
  ///
  /// - Returns: SQLite's result code: 0 on success.
  func bind(to parameter: StatementParameter) -> Int32

  /// Returns the encoder for a type that is stored as JSON.
  static func databaseJSONEncoder() -> JSONEncoder

  /// Returns the decoder for a type that is stored as JSON.
  static func databaseJSONDecoder() -> JSONDecoder
}

extension DatabaseValueConvertible {
  /// No type: the table definition decides.
  public static var databaseColumnType: Database.ColumnType? { nil }

  /// Reads the value through ``fromDatabaseValue(_:)``.
  @inlinable
  public static func fromColumnValue(_ column: ColumnValue) -> Self? {
    fromDatabaseValue(column.databaseValue)
  }

  /// Binds ``databaseValue``.
  @inlinable
  public func bind(to parameter: StatementParameter) -> Int32 {
    databaseValue.bind(to: parameter)
  }
}
