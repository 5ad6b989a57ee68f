import Foundation
import WellspringSystem

/// Something that has gone wrong on a network, and what must hold now.
struct Scenario: Sendable {
  /// Its name, for a reader and for `--only`.
  let name: String
  /// Runs it in a new lab, and returns what it has measured.
  ///
  /// It throws ``ScenarioFailure`` if something does not hold, or ``LabError``.
  let run: @Sendable (ScenarioLab) throws -> String

  static let all = catchingUp + status + writing + operating
}

/// What does not hold in a scenario.
struct ScenarioFailure: Error, CustomStringConvertible {
  let description: String
}

/// Checks what must hold.
///
/// - Throws: ``ScenarioFailure`` with the text.
func require(_ condition: Bool, _ text: @autoclosure () -> String) throws {
  if !condition { throw ScenarioFailure(description: text()) }
}

/// The seconds of the monotonic clock, which all processes of the machine share.
var seconds: Double { Double(MonotonicClock.now) / 1e9 }

/// A number of seconds, for a reader.
func text(_ seconds: Double) -> String { String(format: "%.2f s", seconds) }
