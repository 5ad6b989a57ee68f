internal import Synchronization
internal import WellspringPlatform

/// How a value came about: which value it is, and how it differs from the one before.
///
/// It belongs to a value that is kept for patches. Two values with one number are equal.
package final class ValueOrigin: Sendable {
  private static let lastNumber = Atomic<UInt64>(0)

  /// A number that no other value of the process has.
  private let number: UInt64
  private let patch: (since: UInt64, places: ElementsPatch)?

  /// Numbers a value that was fetched as a whole.
  init() {
    number = Self.lastNumber.add(1, ordering: .relaxed).newValue
    patch = nil
  }

  /// Numbers an array that was patched.
  ///
  /// - Parameters:
  ///   - places: The places at which it differs from the array before.
  ///   - origin: The origin of the array before.
  init(_ places: ElementsPatch, since origin: ValueOrigin) {
    number = Self.lastNumber.add(1, ordering: .relaxed).newValue
    patch = (origin.number, places)
  }

  /// Returns the places at which an array differs from another one; `nil` if they are not known.
  package func patch(since origin: ValueOrigin?) -> ElementsPatch? {
    guard let origin else { return nil }
    if origin.number == number { return ElementsPatch(left: [], arrived: []) }
    guard let patch, Fault.isOn(.patchSkipped) || patch.since == origin.number else { return nil }
    return patch.places
  }
}

/// The places at which an array differs from the one before: without the elements that leave and
/// those that come, both are equal.
@usableFromInline
package struct ElementsPatch: Hashable, Sendable {
  /// The places in the old array that elements leave, in ascending order.
  @usableFromInline package let left: [Int]
  /// The places in the new array of elements that come, in ascending order. An element that has
  /// changed leaves its place and comes back.
  @usableFromInline package let arrived: [Int]

  @usableFromInline
  package init(left: [Int], arrived: [Int]) {
    self.left = left
    self.arrived = arrived
  }
}
