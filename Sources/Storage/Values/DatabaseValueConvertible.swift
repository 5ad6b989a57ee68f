public import Foundation

/// A type whose values can be stored in a column, and read back from one.
///
/// A custom type goes through one of SQLite's storage classes:
///
///     struct Celsius: DatabaseValueConvertible {
///       var degrees: Double
///       var databaseValue: DatabaseValue { degrees.databaseValue }
///       static func fromDatabaseValue(_ value: DatabaseValue) -> Celsius? {
///         Double.fromDatabaseValue(value).map(Celsius.init)
///       }
///     }
///
/// A type with a raw value and a `Codable` type need not write either: the first is stored as its raw value,
/// the second as JSON.
///
///     enum Color: String, DatabaseValueConvertible { case red, white, rose }
///     struct Address: Codable, DatabaseValueConvertible { var street, city: String }
///
/// Conversions are strict. A value that a type cannot stand for gives `nil`, and never a made-up
/// value: TEXT is never read as the number 0.
public protocol DatabaseValueConvertible: Fetchable, TypedOperand {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  associatedtype OperandValue = Self

  /// The type without `Optional`.
  associatedtype Unwrapped: DatabaseValueConvertible = Self where Unwrapped.Unwrapped == Unwrapped

  /// The type of a column for such values, where it is not left to the table definition.
  static var databaseColumnType: Database.ColumnType? { get }

  /// The value to store.
  var databaseValue: DatabaseValue { get }

  /// The value that was stored, or `nil` when `value` does not stand for one.
  static func fromDatabaseValue(_ value: DatabaseValue) -> Self?

  /// The same as ``fromDatabaseValue(_:)`` over a value that SQLite still owns.
  ///
  /// The default goes through ``fromDatabaseValue(_:)``. Types that are decoded by the million save
  /// a copy by reading `column` themselves.
  static func fromColumnValue(_ column: ColumnValue) -> Self?

  /// Binds the value to a parameter of a statement.
  ///
  /// The default binds ``databaseValue``.
  ///
  /// - Returns: SQLite's result code: 0 when all is well.
  func bind(to parameter: StatementParameter) -> Int32

  /// The encoder that a type which is stored as JSON uses.
  static func databaseJSONEncoder() -> JSONEncoder

  /// The decoder that a type which is stored as JSON uses.
  static func databaseJSONDecoder() -> JSONDecoder
}

extension DatabaseValueConvertible {
  /// None.
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

extension DatabaseValue: DatabaseValueConvertible {
  /// Returns the value itself.
  public var databaseValue: DatabaseValue { self }

  /// Returns the value itself.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> DatabaseValue? { value }

  /// Copies the column's value.
  public static func fromColumnValue(_ column: ColumnValue) -> DatabaseValue? {
    column.databaseValue
  }

  /// Binds the value in its storage class.
  public func bind(to parameter: StatementParameter) -> Int32 {
    switch storage {
    case .null: parameter.bindNull()
    case .int64(let value): parameter.bind(value)
    case .double(let value): parameter.bind(value)
    case .string(let value): parameter.bind(value)
    case .blob(let data): parameter.bind(data)
    }
  }
}

extension Optional: DatabaseValueConvertible where Wrapped: DatabaseValueConvertible {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias Unwrapped = Wrapped.Unwrapped

  /// The wrapped type's.
  public static var databaseColumnType: Database.ColumnType? { Wrapped.databaseColumnType }

  /// The wrapped value's, or NULL.
  public var databaseValue: DatabaseValue { self?.databaseValue ?? .null }

  /// Returns `.some(nil)` for NULL, and `nil` for a value that is no `Wrapped`.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Wrapped?? {
    value.isNull ? .some(nil) : Wrapped.fromDatabaseValue(value).map(Optional.some)
  }

  /// Returns `.some(nil)` for NULL, and `nil` for a value that is no `Wrapped`.
  @inlinable
  public static func fromColumnValue(_ column: ColumnValue) -> Wrapped?? {
    // Most values are not NULL, and reading a NULL as a `Wrapped` fails: so that comes first.
    if let value = Wrapped.fromColumnValue(column) { return .some(value) }
    return column.isNull ? .some(nil) : nil
  }

  /// Binds the wrapped value, or NULL.
  @inlinable
  public func bind(to parameter: StatementParameter) -> Int32 {
    switch self {
    case .some(let value): value.bind(to: parameter)
    case .none: parameter.bindNull()
    }
  }
}

extension Optional: Fetchable where Wrapped: DatabaseValueConvertible {}
