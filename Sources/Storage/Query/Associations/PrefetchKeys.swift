/// The values of a foreign key in the rows of a request, each one once and without NULL.
struct PrefetchKeys: Hashable, Sendable {
  /// The number of columns.
  let width: Int
  /// The values, one row of the key after the other.
  private(set) var values: [DatabaseValue] = []
  private var integers: [Int64: Int] = [:]
  private var others: [[DatabaseValue]: Int] = [:]

  init(width: Int) {
    self.width = width
  }

  /// The number of keys.
  var count: Int { values.count / max(width, 1) }

  /// Whether each key is an integer.
  var isIntegers: Bool { others.isEmpty }

  /// Adds a key, and returns its position; `nil` for a key with NULL, to which no row belongs.
  mutating func insert(_ key: [DatabaseValue]) -> Int? {
    if let known = position(of: key) { return known }
    guard !key.contains(where: \.isNull) else { return nil }
    let position = count
    if key.count == 1, case .int64(let integer) = key[0].storage {
      integers[integer] = position
    } else {
      others[key] = position
    }
    values += key
    return position
  }

  /// Returns the position of a key.
  func position(of key: [DatabaseValue]) -> Int? {
    if key.count == 1, case .int64(let integer) = key[0].storage { return position(of: integer) }
    return others[key]
  }

  /// Returns the position of a key that is one integer.
  func position(of key: Int64) -> Int? { integers[key] }

  // Keys are equal if their values are.
  static func == (left: PrefetchKeys, right: PrefetchKeys) -> Bool {
    left.width == right.width && left.values == right.values
  }

  func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

/// The condition that a row belongs to one of some keys: `"teamID" IN (1, 2, 3)`.
struct PrefetchCondition: ExpressionPart {
  let columns: [String]
  let keys: PrefetchKeys

  /// The number of keys that are bound one by one. A text for each greater number of keys would
  /// fill the cache of compiled statements.
  private static let maximumList = 100

  func write(to context: inout SQLContext) throws {
    guard columns.count == 1 else { return try writeRows(to: &context) }
    try context.append(column: columns[0])
    if keys.isIntegers, keys.count > Self.maximumList {
      let list = keys.values.map(\.description).joined(separator: ",")
      context.append(" IN (SELECT value FROM json_each(")
      context.append(value: "[\(list)]".databaseValue)
      return context.append("))")
    }
    context.append(" IN (")
    for (index, value) in keys.values.enumerated() {
      if index > 0 { context.append(", ") }
      context.append(value: value)
    }
    context.append(")")
  }

  /// Writes `("room", "number") IN (VALUES ('A', 1), ('B', 2))`.
  private func writeRows(to context: inout SQLContext) throws {
    context.append("(")
    for (index, column) in columns.enumerated() {
      if index > 0 { context.append(", ") }
      try context.append(column: column)
    }
    context.append(") IN (")
    if keys.count == 0 {
      context.append("SELECT \(columns.map { _ in "NULL" }.joined(separator: ", ")) WHERE 0")
    } else {
      context.append("VALUES ")
    }
    for key in 0..<keys.count {
      context.append(key > 0 ? ", (" : "(")
      for column in 0..<keys.width {
        if column > 0 { context.append(", ") }
        context.append(value: keys.values[key * keys.width + column])
      }
      context.append(")")
    }
    context.append(")")
  }
}
