internal import Foundation
package import Testing

/// How long tests wait for an event that must come, and how long a test may take.
///
/// Both only end a test that has failed, so they are far longer than the event takes. The
/// environment variable `WELLSPRING_PATIENCE` is a factor: greater than 1 for builds with a
/// sanitizer and on busy machines.
package enum Patience {
  private static let factor =
    ProcessInfo.processInfo.environment["WELLSPRING_PATIENCE"].flatMap { Double($0) } ?? 1

  /// The longest wait for one event.
  package static let limit: Duration = .seconds(120) * factor

  /// ``limit`` in seconds.
  package static let seconds = 120 * factor

  /// The longest time of one test.
  package static let testLimit: TimeLimitTrait.Duration = .minutes(
    Soak.isFull ? 120 : Int((5 * factor).rounded(.up))
  )
}

extension Trait where Self == TimeLimitTrait {
  /// Fails a test that takes longer than ``Patience/testLimit``.
  package static var patient: Self { .timeLimit(Patience.testLimit) }
}
