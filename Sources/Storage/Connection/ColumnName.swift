/// The name of a column.
///
/// As in SQLite, the case of ASCII letters does not matter: the name is stored in lower case.
struct ColumnName: Hashable, Sendable {
  let name: String

  init(_ name: String) {
    self.name = name.asciiLowercased
  }
}

extension ColumnName: Comparable {
  static func < (left: ColumnName, right: ColumnName) -> Bool { left.name < right.name }
}

extension ColumnName: ExpressibleByStringLiteral {
  init(stringLiteral name: String) { self.init(name) }
}

extension ColumnName: CustomStringConvertible {
  var description: String { name }
}
