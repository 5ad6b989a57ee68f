extension Optional: DatabaseValueConvertible where Wrapped: DatabaseValueConvertible {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias Unwrapped = Wrapped.Unwrapped

  /// The column type of the wrapped type.
  public static var databaseColumnType: Database.ColumnType? { Wrapped.databaseColumnType }

  /// The database value of the wrapped value, or NULL for `nil`.
  public var databaseValue: DatabaseValue { self?.databaseValue ?? .null }

  /// Returns `.some(nil)` for NULL, and `nil` for a value that does not fit `Wrapped`.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Wrapped?? {
    value.isNull ? .some(nil) : Wrapped.fromDatabaseValue(value).map(Optional.some)
  }

  /// Returns `.some(nil)` for NULL, and `nil` for a value that does not fit `Wrapped`.
  @inlinable
  public static func fromColumnValue(_ column: ColumnValue) -> Wrapped?? {
    // `Wrapped` is tried first: most values are not NULL, and reading NULL as a `Wrapped` fails.
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
