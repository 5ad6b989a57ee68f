/// Tells whether the current thread is in a section of some kind.
package struct ThreadScope: Sendable {
  /// Sections that hold something that other threads may wait for: a thread must not wait for them
  /// there.
  package static let blocking = ThreadScope()

  /// Callbacks of observations.
  package static let callback = ThreadScope()

  // The depth, as the bits of a pointer.
  private let depth = ThreadLocalPointer()

  /// Whether the current thread is in such a section.
  package var isActive: Bool { depth.value != nil }

  /// Enters a section on the current thread.
  package func enter() {
    depth.value = UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: depth.value) + 1)
  }

  /// Leaves the section that was entered last.
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
