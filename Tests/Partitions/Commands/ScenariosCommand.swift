import Foundation

/// `PartitionLab scenarios`: the past faults of replicas on networks that fail. Each is a scenario
/// that passes or fails.
enum ScenariosCommand {
  /// Runs the scenarios whose names contain some words, and returns whether all have passed.
  static func run(only words: String?) throws -> Bool {
    say("| scenario | result | seconds |\n|---|---|---|")
    var failed = 0
    for scenario in Scenario.all where words.map(scenario.name.contains) ?? true {
      let start = seconds
      let result = try run(scenario)
      if !result.isPassed { failed += 1 }
      say("| \(scenario.name) | \(result.text) | \(String(format: "%.1f", seconds - start)) |")
    }
    // The clock of a network cannot be stepped: SteppedClockTests has that point.
    say(failed == 0 ? "All scenarios have passed." : "\(failed) scenarios have FAILED.")
    return failed == 0
  }

  private static func run(_ scenario: Scenario) throws -> (isPassed: Bool, text: String) {
    let lab = try ScenarioLab()
    do {
      let text = try scenario.run(lab)
      lab.end(keepsFolder: false)
      return (true, "passed: \(text)")
    } catch {
      lab.end(keepsFolder: true)
      return (false, "FAILED: \(error). The files are in \(lab.lab.folder)")
    }
  }
}
