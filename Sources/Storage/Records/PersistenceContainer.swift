/// The columns and values that a record stores.
///
///     func encode(to container: inout PersistenceContainer) {
///       container["id"] = id
///       container["name"] = name
///     }
///
/// Records of one type name the same columns in the same order, most of the time. So the first one is
/// collected, and makes the statement; the following ones bind their values straight to it.
public struct PersistenceContainer {
  private enum Mode {
    /// Names and values are remembered.
    case collecting
    /// Values are bound to the parameters of a statement whose columns are `columns`.
    case binding
  }

  /// Whether a value was asked for after it had been set: only a container that remembers knows it. A
  /// class, because a getter cannot change the container.
  final class Reading {
    var hasRead = false
  }

  private var mode: Mode
  let reading: Reading
  /// What was collected; while binding, the columns of the statement.
  private(set) var columns: [String]
  private(set) var values: [DatabaseValue] = []
  private let statement: Statement?
  /// While binding: how many columns were set.
  private var position = 0
  /// While binding: whether every column was the one that the statement expects.
  private var matches = true
  private var code: Int32 = 0

  /// A container that remembers.
  init() {
    reading = Reading()
    mode = .collecting
    columns = []
    statement = nil
  }

  /// A container that binds to the parameters of `statement`, one for each of `columns`.
  init(bindingTo statement: Statement, columns: [String], reading: Reading) {
    self.reading = reading
    mode = .binding
    self.columns = columns
    self.statement = statement
  }

  /// Whether all parameters of the statement were bound in the expected order.
  var didBindAll: Bool { matches && position == columns.count && !reading.hasRead }

  /// Throws when SQLite refused a value, such as a text over its limit.
  func checkBindings() throws { try statement?.check(code) }

  /// The value of a column, for columns that were set before; `nil` for NULL too.
  public subscript(column: String) -> (any DatabaseValueConvertible)? {
    get { value(of: column) }
    set { set(column, newValue?.databaseValue) }
  }

  /// The value of a column, for columns that were set before; `nil` for NULL too.
  public subscript<Value: DatabaseValueConvertible>(column: String) -> Value? {
    get { value(of: column).flatMap(Value.fromDatabaseValue) }
    set { set(column, newValue) }
  }

  private func value(of column: String) -> DatabaseValue? {
    reading.hasRead = true
    guard case .collecting = mode, let index = columns.firstIndex(of: column) else { return nil }
    return values[index].isNull ? nil : values[index]
  }

  @inline(__always)
  private mutating func set<Value: DatabaseValueConvertible>(_ column: String, _ value: Value?) {
    switch mode {
    case .binding:
      guard matches, position < columns.count, columns[position] == column, let statement else {
        matches = false
        return
      }
      position += 1
      code |= value.bind(to: StatementParameter(statement.sqliteStatement, Int32(position)))
    case .collecting:
      let value = value?.databaseValue ?? .null
      if let index = columns.firstIndex(of: column) {
        values[index] = value
      } else {
        columns.append(column)
        values.append(value)
      }
    }
  }
}
