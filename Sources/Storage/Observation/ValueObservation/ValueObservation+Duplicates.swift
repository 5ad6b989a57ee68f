internal import Synchronization

extension ValueObservation {
  /// Delivers a value after each run of the query, even when it is equal to the one before.
  ///
  /// Use it where `==` does not look at all of a value. By default, equal values are not delivered.
  ///
  /// Such an observation does not share its query with other observations.
  public func allowDuplicates() -> ValueObservation {
    with(pipeline.allowingDuplicates())
  }

  /// Drops values that a closure finds equal to the last one that was delivered.
  ///
  ///     observation.removeDuplicates { $0.map(\.name) == $1.map(\.name) }
  ///
  /// The closure replaces `==`. After an error, the next value is delivered in any case.
  ///
  /// Such an observation does not share its query with other observations.
  ///
  /// - Parameter areEqual: Whether two values are equal.
  /// - Returns: An observation that has not been started.
  public func removeDuplicates(
    by areEqual: @escaping @Sendable (_ last: Value, _ new: Value) -> Bool
  ) -> ValueObservation {
    let observation = allowDuplicates()
    return observation.with(observation.pipeline.appending(droppingEqual(areEqual)))
  }
}

extension ValueObservation where Value: Equatable {
  /// Drops values that are equal to the last one that was delivered.
  ///
  /// This is the default, unless ``allowDuplicates()`` was called before.
  public func removeDuplicates() -> ValueObservation {
    pipeline.dropsEqualValues ? self : with(pipeline.appending(droppingEqual(==)))
  }
}

/// The failure of elements that share an identity, where changes are found by the identities: see
/// ``ValueObservation/changes(id:)``.
///
/// It is reported to ``Database/reportFailure`` once for each observation and each loop. The
/// changes still lead to the right array.
public struct DuplicateIdentity: Error, Hashable, CustomStringConvertible {
  /// The description of an identity that several elements have.
  public let identity: String

  /// Creates the error of an identity.
  public init(identity: String) {
    self.identity = identity
  }

  /// A sentence that names the identity, and says what to do.
  public var description: String {
    """
    several elements have the identity \(identity), and may be taken for each other: pass an id that \
    is unique among the elements
    """
  }
}

/// Reports the first duplicate identity.
package final class DuplicateIdentityReport: Sendable {
  private let hasReported = Atomic(false)

  package init() {}

  /// Reports a duplicate identity in the changes, unless one was reported before.
  package func check<Element>(_ changes: ElementChanges<Element>) {
    guard let identity = changes.duplicateIdentity,
      !hasReported.exchange(true, ordering: .relaxed)
    else { return }
    FailureReports.shared.report(
      DuplicateIdentity(identity: identity),
      source: "changes(id:) of \(Element.self)"
    )
  }
}
