/// A container is a collection of the columns that the record has set, with their values.
///
///     var container = PersistenceContainer()
///     try cup.encode(to: &container)
///     for (column, value) in container {
///       print(column, value)
///     }
extension PersistenceContainer: RandomAccessCollection {
  /// A column: its name and its value.
  public typealias Element = (String, DatabaseValue)

  /// Creates an empty container.
  public init() {
    self.init(userInfo: [:])
  }

  /// The position of the first column: 0.
  public var startIndex: Int { 0 }

  /// The number of columns.
  public var endIndex: Int {
    // A container that binds its values does not have them: the next one collects.
    context.hasRead = true
    return columns.count
  }

  /// The name and the value of a column.
  public subscript(position: Int) -> Element { (columns[position], values[position]) }
}
