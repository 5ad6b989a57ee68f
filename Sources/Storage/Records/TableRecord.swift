/// A type that represents the rows of a table.
///
/// The type builds requests for the rows. Columns that are declared in a nested type are available
/// in closures and by key paths:
///
///     struct Player: TableRecord {
///       enum Columns {
///         static let name = Column("name")
///         static let score = Column("score")
///       }
///     }
///     Player.filter { $0.score >= 1000 }.order(\.name)
///     // SELECT * FROM "player" WHERE "score" >= 1000 ORDER BY "name"
public protocol TableRecord {
  /// A type whose static members are the columns of the table; by default the stored properties of
  /// a `Decodable` record.
  associatedtype Columns = PropertyColumns<Self>

  /// The type in which closures and key paths look up columns; by default the metatype of
  /// ``Columns``.
  associatedtype DatabaseComponents = Columns.Type

  /// The value in which closures and key paths look up columns.
  static var databaseComponents: DatabaseComponents { get }

  /// The default selection of requests; all columns unless declared otherwise.
  ///
  ///     struct Person: TableRecord {
  ///       static var databaseSelection: [any SQLSelectable] { [Column("id"), Column("name")] }
  ///     }
  ///     Person.all()
  ///     // SELECT "id", "name" FROM "person"
  ///
  /// Declare the property with exactly this type: with another type it is an unrelated property.
  static var databaseSelection: [any SQLSelectable] { get }

  /// The name of the table.
  ///
  /// By default it is the name of the type with its first letters in lower case: `Item` → `item`,
  /// `HTTPRequest` → `httpRequest`.
  static var databaseTableName: String { get }
}

extension TableRecord {
  /// All columns.
  public static var databaseSelection: [any SQLSelectable] { [AllColumns()] }

  /// The name of the type with its first letters in lower case.
  public static var databaseTableName: String {
    defaultNames.value(of: Self.self) { lowerCamelCased(String(describing: Self.self)) }
  }
}

extension TableRecord where DatabaseComponents == Columns.Type {
  /// The type ``Columns``.
  public static var databaseComponents: Columns.Type { Columns.self }
}

extension TableRecord {
  /// The columns, outside of closures.
  ///
  ///     Player.filter(Player.columns.score >= 1000)
  ///     // SELECT * FROM "player" WHERE "score" >= 1000
  public static var columns: DatabaseComponents { databaseComponents }
}

/// The names of tables by the types whose names they are.
private let defaultNames = ValuesByIdentity<String>()

/// Converts the name of a type to lower camel case, and drops generic arguments.
private func lowerCamelCased(_ typeName: String) -> String {
  let name = typeName.prefix { $0 != "<" }
  let capitals = name.prefix { $0.isUppercase }
  guard capitals.count > 1 else { return capitals.lowercased() + name.dropFirst(capitals.count) }
  guard capitals.count < name.count else { return name.lowercased() }
  // In `HTTPRequest`, the last of the leading capitals begins the next word.
  let first = capitals.dropLast()
  return first.lowercased() + name.dropFirst(first.count)
}

/// The columns that a record type does not have.
///
/// The type exists for the errors of key paths to unknown columns, and of closures that name the
/// columns of a table without a record type.
@dynamicMemberLookup
public struct UndeclaredColumns {
  /// A column that the record type does not have.
  public subscript(dynamicMember name: String) -> UndeclaredColumns { self }

  /// The column is not declared.
  @available(
    *,
    unavailable,
    message: "a table without a record type declares no columns: write Column(\"name\")"
  )
  public static subscript(dynamicMember name: String) -> SQLExpression {
    Column(name).sqlExpression
  }
}
