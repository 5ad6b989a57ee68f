/// The columns and values that a record stores.
///
///     func encode(to container: inout PersistenceContainer) {
///       container["id"] = id
///       container["name"] = name
///     }
///
/// Most records of one type set the same columns in the same order. So the columns of the first
/// record are collected to build the statement, and the following records bind their values
/// directly to it.
public struct PersistenceContainer {
  /// The column of a parameter of the plan's statement.
  @usableFromInline
  struct Slot {
    let column: String
    /// The sixteen bytes of `column`: the text of a short string, the address of a long one.
    @usableFromInline let bits: (UInt64, UInt64)
  }

  /// The collected values of a container.
  private final class Collected {
    var columns: [String] = []
    var values: [DatabaseValue] = []
    let context: EncodingContext

    init(_ context: EncodingContext) { self.context = context }

    func copy() -> Collected {
      let copy = Collected(context)
      copy.columns = columns
      copy.values = values
      return copy
    }

    /// Returns the index of a column. As in SQLite, the case of ASCII letters does not matter.
    func index(of column: String) -> Int? {
      columns.firstIndex { $0.isSameName(as: column) }
    }

    func set(_ column: String, _ value: DatabaseValue) {
      if let index = index(of: column) {
        values[index] = value
      } else {
        columns.append(column)
        values.append(value)
      }
    }
  }

  /// The collected values; `nil` when values are bound. Copies of a container share them until a
  /// copy changes.
  private var collected: Collected?

  /// The collected columns.
  var columns: [String] { collected?.columns ?? [] }
  /// The values of the collected columns.
  var values: [DatabaseValue] { collected?.values ?? [] }

  /// The plan to whose statement values are bound, or `nil` to collect values.
  let plan: InsertionPlan?
  // Copied from the plan to make the setter faster.
  @usableFromInline let slots: UnsafePointer<Slot>?
  @usableFromInline let sqliteStatement: OpaquePointer?
  /// The number of bound parameters.
  @usableFromInline var position = 0
  /// Where binding ends: after the last parameter, or -1 after an unexpected column.
  @usableFromInline var end: Int
  /// The combined result codes of the bindings.
  @usableFromInline var code: Int32 = 0

  /// The state that an insertion plan shares with the containers that bind to its statement.
  ///
  /// It is a class, because a getter cannot change the container.
  final class EncodingContext {
    /// Whether a value was read after it had been set. Only a container that collects values can
    /// return it.
    var hasRead = false
    /// The values that the `userInfo` of an `Encodable` record has in addition to the values of its
    /// type.
    let userInfo: [CodingUserInfoKey: Any]

    init(userInfo: [CodingUserInfoKey: Any]) {
      self.userInfo = userInfo
    }
  }
  var context: EncodingContext { collected?.context ?? plan!.context }

  /// Creates a container that collects values.
  init(userInfo: [CodingUserInfoKey: Any]) {
    collected = Collected(EncodingContext(userInfo: userInfo))
    plan = nil
    slots = nil
    sqliteStatement = nil
    end = 0
  }

  /// Creates a container that binds values to the parameters of the plan's statement.
  init(bindingTo plan: InsertionPlan) {
    self.plan = plan
    collected = nil
    slots = UnsafePointer(plan.slots)
    sqliteStatement = plan.statement.sqliteStatement
    end = plan.columnCount
  }

  /// Whether all parameters of the plan's statement were bound, in the expected order.
  var didBindAll: Bool {
    guard let plan else { return false }
    return position == plan.columnCount && end == position && !context.hasRead
  }

  /// The value of a column that was set before; `nil` for NULL and for other columns.
  @_disfavoredOverload
  public subscript(column: String) -> (any DatabaseValueConvertible)? {
    get { value(of: column) }
    set { set(column, newValue?.databaseValue) }
  }

  /// The value of a column that was set before; `nil` for NULL and for other columns.
  @inlinable
  public subscript<Value: DatabaseValueConvertible>(column: String) -> Value? {
    get { value(of: column).flatMap(Value.fromDatabaseValue) }
    set { set(column, newValue) }
  }

  @inlinable
  mutating func set<Value: DatabaseValueConvertible>(_ column: String, _ value: Value?) {
    guard let slots, let sqliteStatement, position < end else { return collect(column, value) }
    let bits = unsafeBitCast(column, to: (UInt64, UInt64).self)
    let slot = slots + position
    guard slot.pointee.bits.0 == bits.0 && slot.pointee.bits.1 == bits.1 || expects(column) else {
      return end = -1
    }
    position &+= 1
    let parameter = StatementParameter(sqliteStatement, Int32(truncatingIfNeeded: position))
    code |= value?.bind(to: parameter) ?? parameter.bindNull()
  }

  @usableFromInline
  func value(of column: String) -> DatabaseValue? {
    context.hasRead = true
    guard let value = collectedValue(of: column), !value.isNull else { return nil }
    return value
  }

  /// Returns the collected value of a column; `nil` for other columns.
  func collectedValue(of column: String) -> DatabaseValue? {
    collected.flatMap { collected in collected.index(of: column).map { collected.values[$0] } }
  }

  /// Returns whether the next parameter belongs to `column`, by comparing names instead of bits.
  @usableFromInline
  func expects(_ column: String) -> Bool { slots?[position].column == column }

  /// Collects a value. A container that binds values stops binding instead.
  @usableFromInline
  mutating func collect(_ column: String, _ value: (some DatabaseValueConvertible)?) {
    guard collected != nil else { return end = -1 }
    if !isKnownUniquelyReferenced(&collected) { collected = collected?.copy() }
    collected?.set(column, value?.databaseValue ?? .null)
  }
}

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

extension PersistenceContainer {
  /// The value of a column that was set before; `nil` for NULL and for other columns.
  ///
  ///     container[Columns.name] = name
  @inlinable
  public subscript<Value: DatabaseValueConvertible>(_ column: some ColumnExpression) -> Value? {
    get { self[column.name] }
    set { self[column.name] = newValue }
  }
}

extension PersistenceContainer {
  /// The value of a column that was set before; `nil` for NULL and for other columns.
  ///
  ///     container[Columns.score] = score
  @inlinable
  public subscript<Value: DatabaseValueConvertible>(_ column: TypedColumn<Value>) -> Value? {
    get { self[column.name] }
    set { self[column.name] = newValue }
  }
}

extension PersistenceContainer {
  /// Collects the columns and values that a record stores.
  init(_ record: some EncodableRecord, userInfo: [CodingUserInfoKey: Any] = [:]) throws {
    self.init(userInfo: userInfo)
    try record.encode(to: &self)
  }

  /// All columns with their values.
  var assignments: [ColumnAssignment] {
    zip(columns, values).map { ColumnAssignment($0, $1.sqlExpression) }
  }

  /// Returns the columns whose values differ from another container, with the values of the other
  /// container.
  func changes(from old: PersistenceContainer) -> [String: DatabaseValue] {
    let oldValues = Dictionary(zip(old.columns, old.values)) { $1 }
    var changes: [String: DatabaseValue] = [:]
    for (column, value) in zip(columns, values) {
      // A record of another type may spell the column differently.
      let oldValue = oldValues[column] ?? old.collectedValue(of: column) ?? .null
      if value != oldValue { changes[column] = oldValue }
    }
    return changes
  }
}
