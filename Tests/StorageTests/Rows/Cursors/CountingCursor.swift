import Storage

/// A cursor that yields the given elements, counts the calls of `next()`, and can fail on one call.
final class CountingCursor<Element>: Cursor {
  struct Failure: Error {}

  private(set) var calls = 0
  private var remaining: ArraySlice<Element>
  /// The number of the call that throws, counted from 1. The cursor continues after it.
  private let failingCall: Int?

  init(_ elements: [Element], failingAt call: Int? = nil) {
    remaining = elements[...]
    failingCall = call
  }

  func next() throws -> Element? {
    calls += 1
    if calls == failingCall { throw Failure() }
    return remaining.popFirst()
  }
}
