import Foundation
import WellspringSystem

/// A past fault on a network, and the conditions that must hold now.
struct Scenario: Sendable {
  /// Its name, for a reader and for `--only`.
  let name: String
  /// Runs it in a new lab, and returns its measurements.
  ///
  /// It throws ``ScenarioFailure`` if something does not hold, or ``LabError``.
  let run: @Sendable (ScenarioLab) throws -> String

  static let all = catchingUp + status + writing + operating
}

/// A condition that does not hold in a scenario.
struct ScenarioFailure: Error, CustomStringConvertible {
  let description: String
}

/// Checks a condition.
///
/// - Throws: ``ScenarioFailure`` with the text.
func require(_ condition: Bool, _ text: @autoclosure () -> String) throws {
  if !condition { throw ScenarioFailure(description: text()) }
}

/// The seconds of the monotonic clock, which all processes of the machine share.
var seconds: Double { Double(MonotonicClock.now) / 1e9 }

/// A number of seconds, for a reader.
func text(_ seconds: Double) -> String { String(format: "%.2f s", seconds) }
