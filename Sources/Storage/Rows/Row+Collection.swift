/// A row is a collection of its columns, from left to right. Each element is a name and a value.
///
///     for (name, value) in row {
///       print(name, value)
///     }
extension Row: RandomAccessCollection {
  /// A column: its name and its value.
  public typealias Element = (String, DatabaseValue)

  /// The position of a column.
  ///
  /// It is not an `Int`, because `row[0]` is the value of the first column in the type that the
  /// context requires.
  public struct Index: Hashable, Comparable, Sendable {
    /// The index of the column, counted from 0.
    public let column: Int

    /// Orders positions from left to right.
    public static func < (left: Index, right: Index) -> Bool { left.column < right.column }
  }

  /// The position of the first column.
  public var startIndex: Index { Index(column: 0) }

  /// The position after the last column.
  public var endIndex: Index { Index(column: count) }

  /// Returns the position after another position.
  public func index(after index: Index) -> Index { Index(column: index.column + 1) }

  /// Returns the position before another position.
  public func index(before index: Index) -> Index { Index(column: index.column - 1) }

  /// Returns the position at a distance from another position.
  public func index(_ index: Index, offsetBy distance: Int) -> Index {
    Index(column: index.column + distance)
  }

  /// Returns the number of columns from one position to another.
  public func distance(from start: Index, to end: Index) -> Int { end.column - start.column }

  /// The name and the value of a column.
  public subscript(position: Index) -> Element {
    (columnNames[position.column], databaseValue(at: position.column))
  }
}

extension Row: ExpressibleByDictionaryLiteral {
  /// Creates a row from names and values.
  public convenience init(dictionaryLiteral elements: (String, (any DatabaseValueConvertible)?)...)
  {
    self.init(
      layout: RowLayout(columnNames: elements.map(\.0)),
      values: elements.map { $0.1?.databaseValue ?? .null }
    )
  }
}

extension Row {
  /// Creates a row from a dictionary. The columns are sorted by name.
  @_disfavoredOverload
  public convenience init(_ dictionary: [String: (any DatabaseValueConvertible)?]) {
    let columns = dictionary.sorted { $0.key < $1.key }
    self.init(
      layout: RowLayout(columnNames: columns.map(\.key)),
      values: columns.map { $0.value?.databaseValue ?? .null }
    )
  }

  /// Creates a row from a dictionary of unknown types. The columns are sorted by name.
  ///
  /// - Returns: `nil` when a key is not a string, or a value does not convert to a database value.
  @_disfavoredOverload
  public convenience init?(_ dictionary: [AnyHashable: Any]) {
    guard let arguments = StatementArguments(dictionary) else { return nil }
    self.init(arguments.namedValues)
  }

  /// Creates a row without columns.
  public convenience init() { self.init([:] as KeyValuePairs) }
}
