/// Objects that others own, in the order in which they were added.
///
/// Checking whether an object lives can release its last reference, whose end may take any lock. So
/// a list that stands under a lock is copied out of it, checked, and the dead entries are removed
/// afterwards.
package struct WeakList<Object: Sendable>: Sendable {
  package struct Entry: Sendable {
    fileprivate let number: Int
    private let load: @Sendable () -> Object?

    fileprivate init(number: Int, load: @escaping @Sendable () -> Object?) {
      self.number = number
      self.load = load
    }

    /// The object; `nil` when it no longer exists.
    package var object: Object? { load() }
  }

  package private(set) var entries: [Entry] = []
  private var count = 0

  /// Creates an empty list.
  package init() {}

  /// Adds an object, which the closure must hold weakly.
  package mutating func append(_ load: @escaping @Sendable () -> Object?) {
    count += 1
    entries.append(Entry(number: count, load: load))
  }

  /// Returns the entries whose objects no longer exist. To be called outside locks.
  package var dead: Set<Int> { Set(entries.filter { $0.object == nil }.map(\.number)) }

  /// Removes entries.
  package mutating func remove(_ numbers: Set<Int>) {
    entries.removeAll { numbers.contains($0.number) }
  }
}
