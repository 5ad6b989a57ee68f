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
  /// A parameter of the plan's statement, with the name of its column.
  @usableFromInline
  struct Slot {
    let column: String
    /// The sixteen bytes of `column`: the text of a short string, the address of a long one.
    @usableFromInline let bits: (UInt64, UInt64)
  }

  /// The columns that were collected.
  private(set) var columns: [String] = []
  /// Their values.
  private(set) var values: [DatabaseValue] = []

  /// The statement that values are bound to, or `nil` to collect them.
  let plan: InsertionPlan?
  // Copied from the plan, for the sake of the setter.
  @usableFromInline let slots: UnsafePointer<Slot>?
  @usableFromInline let sqliteStatement: OpaquePointer?
  /// How many parameters are bound.
  @usableFromInline var position = 0
  /// Where binding ends: with the last parameter, or before a column that is not the expected one.
  @usableFromInline var end: Int
  /// What SQLite has said to the bindings.
  @usableFromInline var code: Int32 = 0

  /// Whether a value was asked for after it had been set: only a container that collects knows it. A
  /// class, because a getter cannot change the container.
  final class Reading {
    var hasRead = false
    /// What the encoder of an `Encodable` record shows beside the values of its type.
    let userInfo: [CodingUserInfoKey: Any]

    init(userInfo: [CodingUserInfoKey: Any]) {
      self.userInfo = userInfo
    }
  }
  let reading: Reading

  /// A container that collects.
  init(userInfo: [CodingUserInfoKey: Any] = [:]) {
    reading = Reading(userInfo: userInfo)
    plan = nil
    slots = nil
    sqliteStatement = nil
    end = 0
  }

  /// A container that binds to the parameters of the statement of `plan`.
  init(bindingTo plan: InsertionPlan) {
    self.plan = plan
    reading = plan.reading
    slots = UnsafePointer(plan.slots)
    sqliteStatement = plan.statement.sqliteStatement
    end = plan.columnCount
  }

  /// Whether all parameters of the plan's statement were bound in the expected order.
  var didBindAll: Bool {
    guard let plan else { return false }
    return position == plan.columnCount && end == position && !reading.hasRead
  }

  /// Throws when SQLite refused a value, such as a text over its limit.
  func checkBindings() throws { try plan?.statement.check(code) }

  /// The value of a column, for columns that were set before; `nil` for NULL too.
  @_disfavoredOverload
  public subscript(column: String) -> (any DatabaseValueConvertible)? {
    get { value(of: column) }
    set { set(column, newValue?.databaseValue) }
  }

  /// The value of a column, for columns that were set before; `nil` for NULL too.
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
    reading.hasRead = true
    guard plan == nil, let index = columns.firstIndex(of: column) else { return nil }
    return values[index].isNull ? nil : values[index]
  }

  /// Whether the next parameter is that of `column`, whose bits are other ones.
  @usableFromInline
  func expects(_ column: String) -> Bool { slots?[position].column == column }

  /// Remembers a value. A container that binds takes no more of them.
  @usableFromInline
  mutating func collect(_ column: String, _ value: (some DatabaseValueConvertible)?) {
    guard plan == nil else { return end = -1 }
    let value = value?.databaseValue ?? .null
    if let index = columns.firstIndex(of: column) {
      values[index] = value
    } else {
      columns.append(column)
      values.append(value)
    }
  }
}
