/// A row is a collection of its columns: names and values, from left to right.
///
///     for (name, value) in row {
///       print(name, value)
///     }
extension Row: RandomAccessCollection {
  /// A column: its name and its value.
  public typealias Element = (String, DatabaseValue)

  /// The position of a column. It is no `Int`, because `row[0]` is the value of the first column in whatever
  /// type is wanted.
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

  /// Returns the position after another one.
  public func index(after index: Index) -> Index { Index(column: index.column + 1) }

  /// Returns the position before another one.
  public func index(before index: Index) -> Index { Index(column: index.column - 1) }

  /// Returns the position at a distance.
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
  /// Makes a row of names and values.
  public convenience init(dictionaryLiteral elements: (String, (any DatabaseValueConvertible)?)...)
  {
    self.init(
      layout: RowLayout(columnNames: elements.map(\.0)),
      values: elements.map { $0.1?.databaseValue ?? .null }
    )
  }
}

extension Row {
  /// Makes a row of a dictionary. The columns are in the order of their names.
  @_disfavoredOverload
  public convenience init(_ dictionary: [String: (any DatabaseValueConvertible)?]) {
    let columns = dictionary.sorted { $0.key < $1.key }
    self.init(
      layout: RowLayout(columnNames: columns.map(\.key)),
      values: columns.map { $0.value?.databaseValue ?? .null }
    )
  }

  /// Makes a row of a dictionary whose types are not known. The columns are in the order of their names.
  ///
  /// - Returns: `nil` when a key is no string, or a value converts to no database value.
  @_disfavoredOverload
  public convenience init?(_ dictionary: [AnyHashable: Any]) {
    guard let arguments = StatementArguments(dictionary) else { return nil }
    self.init(arguments.namedValues)
  }

  /// Makes a row without columns.
  public convenience init() { self.init([:] as KeyValuePairs) }
}
