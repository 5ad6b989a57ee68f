public import FoundationEssentials

/// A column whose values have a known Swift type. The type of a column that can be NULL is
/// `Optional`.
///
///     enum Columns {
///       static let id = TypedColumn<Int64>("id")
///       static let email = TypedColumn<String?>("email")
///     }
///     Player.filter { $0.email == nil && $0.id > 12 }
///     // SELECT * FROM "player" WHERE ("email" IS NULL) AND ("id" > 12)
///
/// A column of a type that does not conform to ``DatabaseValueConvertible`` has no operators. It
/// holds JSON, or the raw value of an enum: see ``json`` and ``column``.
public struct TypedColumn<Value>: NamedColumn, SQLFunctionArgument, SQLSelectable, SQLOrderingTerm,
  Sendable
{
  /// The name of the column, without quotes.
  public let name: String
  private let isJSONText: Bool

  /// Creates a column from its name.
  public init(_ name: String) {
    self.init(name, isJSONText: holdsJSON(Value.self))
  }

  /// Creates a column named after a coding key.
  public init(_ key: some CodingKey) {
    self.init(key.stringValue)
  }

  init(_ name: String, isJSONText: Bool) {
    self.name = name
    self.isJSONText = isJSONText
  }

  /// The column without its type.
  public var column: Column { Column(name) }

  /// The column as an alias in the statement's result: see ``ColumnExpression/detached``.
  public var detached: SQLExpression { column.detached }

  /// The expression without its type.
  public var sqlExpression: SQLExpression {
    SQLExpression(ColumnReference(name: name, isJSONText: isJSONText))
  }

  /// The column as a result column.
  ///
  ///     Player.select(TypedColumn<String>("name"))
  ///     // SELECT "name" FROM "player"
  public var sqlSelection: SQLSelection { sqlExpression.sqlSelection }

  /// The column as an ordering term.
  ///
  ///     Player.order(TypedColumn<String>("name"))
  ///     // SELECT * FROM "player" ORDER BY "name"
  public var sqlOrdering: SQLOrdering { sqlExpression.sqlOrdering }
}

extension TypedColumn: TypedOperand, TypedExpressible where Value: DatabaseValueConvertible {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias OperandValue = Value

  /// Creates a column from its name.
  public init(_ name: String) {
    self.init(name, isJSONText: false)
  }

  /// Creates a column named after a coding key.
  public init(_ key: some CodingKey) {
    self.init(key.stringValue)
  }
}

extension TypedColumn: SQLCondition
where Value: DatabaseValueConvertible, Value.Unwrapped == Bool {}

// MARK: - JSON

extension TypedColumn where Value: Decodable {
  /// The column of a property that is stored as JSON.
  ///
  ///     TypedColumn<[String]>("info").json.jsonExtract(atPath: "$[0]")
  ///     // JSON_EXTRACT("info", '$[0]')
  public var json: JSONColumn { JSONColumn(name) }

  /// The value of a key of a property that is stored as JSON: see ``SQLJSONExpressible``.
  ///
  ///     TypedColumn<[String]>("info")[0]
  ///     // "info" ->> 0
  public subscript(_ key: some SQLExpressible) -> SQLExpression { json[key] }
}

/// Whether records store values of a type as JSON.
func holdsJSON(_ type: Any.Type) -> Bool {
  if let optional = type as? any OptionalType.Type { return holdsJSON(optional.wrappedType) }
  return !(type is any DatabaseValueConvertible.Type) && !(type is any RawRepresentable.Type)
}

/// Returns the type whose values are stored: that without `Optional`, or that of the raw values.
func storedType(_ type: Any.Type) -> Any.Type {
  func rawType<Raw: RawRepresentable>(_: Raw.Type) -> Any.Type { Raw.RawValue.self }
  if let type = type as? any OptionalType.Type { return storedType(type.wrappedType) }
  if let type = type as? any RawRepresentable.Type { return storedType(rawType(type)) }
  return type
}

private protocol OptionalType {
  static var wrappedType: Any.Type { get }
}

extension Optional: OptionalType {
  fileprivate static var wrappedType: Any.Type { Wrapped.self }
}

// The column types for the values of Swift types.

extension DatabaseValueConvertible where Self: FixedWidthInteger {
  /// `INTEGER`. A table declares columns of `UInt` and `UInt64` without it, unless they are row ids
  /// or foreign keys, because they may hold numbers over `Int64.max`, which are texts.
  public static var databaseColumnType: Database.ColumnType? { .integer }
}

extension DatabaseValueConvertible where Self: BinaryFloatingPoint {
  /// `REAL`
  public static var databaseColumnType: Database.ColumnType? { .real }
}

extension DatabaseValueConvertible
where Self: RawRepresentable, RawValue: DatabaseValueConvertible {
  /// The column type of the raw value.
  public static var databaseColumnType: Database.ColumnType? { RawValue.databaseColumnType }
}

extension String {
  /// `TEXT`
  public static var databaseColumnType: Database.ColumnType? { .text }
}

extension URL {
  /// `TEXT`
  public static var databaseColumnType: Database.ColumnType? { .text }
}

extension UUID {
  /// `BLOB`
  public static var databaseColumnType: Database.ColumnType? { .blob }
}

extension Decimal {
  /// `NUMERIC`: the numbers compare and sort as numbers. In a column of type `TEXT`, they compare
  /// as texts: 24 is less than 5.
  public static var databaseColumnType: Database.ColumnType? { .numeric }
}

extension Bool {
  /// `BOOLEAN`
  public static var databaseColumnType: Database.ColumnType? { .boolean }
}

extension Data {
  /// `BLOB`
  public static var databaseColumnType: Database.ColumnType? { .blob }
}

extension Date {
  /// `DATETIME`
  public static var databaseColumnType: Database.ColumnType? { .datetime }
}
