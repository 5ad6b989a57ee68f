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
