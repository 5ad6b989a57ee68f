import Storage

/// Yields what it is given, counts how often it was asked, and can fail on the way.
final class CountingCursor<Element>: Cursor {
  struct Failure: Error {}

  private(set) var calls = 0
  private var remaining: ArraySlice<Element>
  /// The call that throws, from 1 on. The cursor goes on after it.
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
