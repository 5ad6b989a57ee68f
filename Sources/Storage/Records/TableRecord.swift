/// A type that stands for the rows of a table.
///
/// It builds requests for them. The columns that it names in a nested type are found in closures and
/// by key paths:
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
  /// A type with static members that are the columns of the table.
  associatedtype Columns = Never

  /// What closures and key paths find the columns in: the type of ``Columns``, unless stated.
  associatedtype DatabaseComponents = Columns.Type

  /// What closures and key paths find the columns in.
  static var databaseComponents: DatabaseComponents { get }

  /// What is selected unless a request says something else: all columns, unless stated.
  ///
  ///     static var databaseSelection: [any SQLSelectable] { [Columns.id, Columns.name] }
  ///     // SELECT "id", "name" FROM "player"
  ///
  /// Declare it with this very type: a `static let` of another type is another property.
  static var databaseSelection: [any SQLSelectable] { get }

  /// The name of the table. Unless it is declared, it is the name of the type with its first
  /// letters in lower case: `Item` → `item`, `HTTPRequest` → `httpRequest`.
  static var databaseTableName: String { get }
}

extension TableRecord {
  /// All columns.
  public static var databaseSelection: [any SQLSelectable] { [AllColumns()] }

  /// The name of the type with its first letters in lower case.
  public static var databaseTableName: String {
    lowerCamelCased(String(describing: Self.self))
  }
}

extension TableRecord where DatabaseComponents == Columns.Type {
  /// The type with the columns.
  public static var databaseComponents: Columns.Type { Columns.self }
}

/// The name of a generic type goes without its arguments.
private func lowerCamelCased(_ typeName: String) -> String {
  let name = typeName.prefix { $0 != "<" }
  let capitals = name.prefix { $0.isUppercase }
  guard capitals.count > 1 else { return capitals.lowercased() + name.dropFirst(capitals.count) }
  guard capitals.count < name.count else { return name.lowercased() }
  // In `HTTPRequest` the last capital begins the next word.
  let first = capitals.dropLast()
  return first.lowercased() + name.dropFirst(first.count)
}
