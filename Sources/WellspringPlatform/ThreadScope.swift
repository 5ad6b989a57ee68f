/// A kind of code section. Each thread knows whether it is in such a section.
package struct ThreadScope: Sendable {
  /// Sections that hold a resource other threads may wait for, such as a connection. A thread in
  /// such a section must not wait for these threads.
  package static let blocking = ThreadScope()

  /// Callbacks of observations.
  package static let callback = ThreadScope()

  // The nesting depth, stored as the bits of a pointer.
  private let depth = ThreadLocalPointer()

  /// Whether the current thread is in such a section.
  package var isActive: Bool { depth.value != nil }

  /// Enters a section on the current thread.
  package func enter() {
    depth.value = UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: depth.value) + 1)
  }

  /// Leaves the innermost section of the current thread.
  package func leave() {
    depth.value = UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: depth.value) - 1)
  }

  /// Runs a closure in a section.
  package func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    enter()
    defer { leave() }
    return try body()
  }
}
