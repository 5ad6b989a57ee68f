/// Tells whether the current thread holds something that other threads may wait for, so that it must
/// not wait for them.
package enum BlockingScope {
  // The depth, as the bits of a pointer.
  private static let depth = ThreadLocalPointer()

  /// Whether the current thread is in such a scope.
  package static var isActive: Bool { depth.value != nil }

  /// Enters a scope on the current thread.
  package static func enter() {
    depth.value = UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: depth.value) + 1)
  }

  /// Leaves the scope that was entered last.
  package static func leave() {
    depth.value = UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: depth.value) - 1)
  }
}
