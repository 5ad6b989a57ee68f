internal import Synchronization
internal import WellspringSystem

/// The treatment of values that come while a loop over them is busy.
public enum ObservationBufferingPolicy: Sendable {
  /// The newest value waits, and older values are dropped: a slow loop costs no memory, and
  /// continues with the present state.
  case newest
  /// All values that were fetched wait. Values of commits that came close together may still not be
  /// fetched one by one.
  case unbounded
}

/// Receives the events of an observation.
protocol ObservationSubscriber: AnyObject, Sendable {
  /// Takes an event. Events come with rising sequence numbers. An event that was overtaken by a
  /// newer one on another thread, or that comes a second time, must be dropped.
  ///
  /// This must not block: it is called by the thread that serves all observations.
  ///
  /// - Returns: A call that the caller must make or dispatch now, or `nil`.
  func receive(_ moment: AnyObservedMoment) -> (any PendingCall)?

  /// Calls the completion when the calls for all received events have returned, or, in a loop, when
  /// these events can be taken.
  func flush(_ completion: @escaping @Sendable () -> Void)
}

/// How a value came about: which value it is, and how it differs from the one before.
///
/// It belongs to a value that is kept for patches. Two values with one number are equal.
package final class ValueOrigin: Sendable {
  private static let lastNumber = Atomic<UInt64>(0)

  /// A number that no other value of the process has.
  private let number: UInt64
  private let patch: (since: UInt64, difference: ElementsPatch)?

  /// Numbers a value that was fetched as a whole.
  init() {
    number = Self.lastNumber.add(1, ordering: .relaxed).newValue
    patch = nil
  }

  /// Numbers an array that was patched.
  ///
  /// - Parameters:
  ///   - difference: The indexes at which it differs from the array before.
  ///   - origin: The origin of the array before.
  init(_ difference: ElementsPatch, since origin: ValueOrigin) {
    number = Self.lastNumber.add(1, ordering: .relaxed).newValue
    patch = (origin.number, difference)
  }

  /// Returns the indexes at which an array differs from another one; `nil` if they are not known.
  package func patch(since origin: ValueOrigin?) -> ElementsPatch? {
    guard let origin else { return nil }
    if origin.number == number { return ElementsPatch(left: [], arrived: []) }
    guard let patch, Fault.isOn(.patchSkipped) || patch.since == origin.number else { return nil }
    return patch.difference
  }
}

/// The indexes at which an array differs from the one before: without the elements that leave and
/// the elements that come, both arrays are equal.
@usableFromInline
package struct ElementsPatch: Hashable, Sendable {
  /// The indexes in the old array of elements that leave, in ascending order.
  @usableFromInline package let left: [Int]
  /// The indexes in the new array of elements that come, in ascending order. An element that has
  /// changed leaves and comes back.
  @usableFromInline package let arrived: [Int]

  @usableFromInline
  package init(left: [Int], arrived: [Int]) {
    self.left = left
    self.arrived = arrived
  }
}

// Equal values are dropped in two places: a query does not deliver a value that is equal to the one
// before, nor does a stage that turns values into other values.
// `ObservationPipeline.dropsEqualValues` says whether they do.

/// Returns whether a type is `Equatable`, as far as can be found out at run time: an `Array` is
/// when its elements are.
func isEquatable<Value>(_ type: Value.Type) -> Bool { type is any Equatable.Type }

/// Compares two values with the `==` of their type.
///
/// - Precondition: The type is `Equatable`: see ``isEquatable(_:)``.
func areEquatablesEqual<Value>(_ left: Value, _ right: Value) -> Bool {
  // The type is looked up again for each comparison: a closure that crosses threads cannot hold it.
  func isEqual<Other: Equatable>(_ left: Other) -> Bool { left == (right as! Other) }
  let left = left as! any Equatable
  return isEqual(left)
}

/// A value with the number of the snapshot that it was fetched from.
///
/// Commits of the process get numbers, and so do the moments at which foreign commits are noticed.
/// Of two values of one database, the value with the higher number is the newer one. Two values
/// with one number contain the same commits of this process; values that were delivered together
/// were fetched from one state. A process starts again with the lowest number.
public struct Numbered<Value: Sendable>: Sendable {
  /// The number of the last commit that the snapshot contains.
  public let number: UInt64
  /// The fetched value.
  public let value: Value
  /// How the value came about, if it is kept for patches.
  var origin: ValueOrigin?
}
