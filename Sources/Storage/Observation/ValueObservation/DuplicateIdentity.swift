internal import Synchronization

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
