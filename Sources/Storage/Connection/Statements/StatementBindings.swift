/// The values that are bound to the parameters of a statement.
struct StatementBindings: ~Copyable {
  /// The values that were bound last through this library.
  var values = BoundArguments.arguments(StatementArguments())
  /// The integers that were bound last.
  var integers: BoundIntegers
  /// The error of a binding that could not throw, which the next run throws.
  var failure: (any Error)?

  init(parameterCount: Int) { integers = BoundIntegers(capacity: parameterCount) }
}

/// The values that were bound to a statement, in the form in which they were given.
///
/// They are converted to ``StatementArguments`` on demand, because few callers ask for them.
enum BoundArguments {
  case arguments(StatementArguments)
  /// Integers, which ``StatementBindings/integers`` holds.
  case integers
  case values([any DatabaseValueConvertible])
  /// The values were bound directly, and not kept.
  case unknown
}

/// Integers that are bound to a statement, in memory that serves all its runs.
///
/// A row of integers is inserted so quickly that an array, which checks at each change whether it
/// is shared and large enough, would take a twentieth of the time.
struct BoundIntegers: ~Copyable {
  private let capacity: Int
  private var integers: UnsafeMutablePointer<Int>?

  /// Creates room for as many integers as a statement has parameters.
  init(capacity: Int) {
    self.capacity = capacity
  }

  deinit {
    integers?.deallocate()
  }

  /// The memory, which the caller fills.
  var buffer: UnsafeMutablePointer<Int> {
    @inline(__always) mutating get { integers ?? allocate() }
  }

  @inline(never)
  private mutating func allocate() -> UnsafeMutablePointer<Int> {
    let integers = UnsafeMutablePointer<Int>.allocate(capacity: capacity)
    integers.initialize(repeating: 0, count: capacity)
    self.integers = integers
    return integers
  }

  /// Returns the integers as an array.
  func copy() -> [Int] {
    Array(UnsafeBufferPointer(start: integers, count: integers == nil ? 0 : capacity))
  }
}
