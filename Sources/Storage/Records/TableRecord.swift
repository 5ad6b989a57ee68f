/// A type that stands for the rows of a table.
public protocol TableRecord {
  /// The name of the table. Unless it is declared, it is the name of the type with its first
  /// letters in lower case: `Item` → `item`, `HTTPRequest` → `httpRequest`.
  static var databaseTableName: String { get }
}

extension TableRecord {
  /// The name of the type with its first letters in lower case.
  public static var databaseTableName: String {
    lowerCamelCased(String(describing: Self.self))
  }
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
