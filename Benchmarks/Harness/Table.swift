internal import Foundation

/// Formats the results in columns.
struct Table {
  private let titleWidth: Int

  /// Creates a table that is wide enough for the titles of `benchmarks`.
  init(benchmarks: [Benchmark]) {
    titleWidth = benchmarks.map(\.title.count).max() ?? 0
  }

  /// The column titles.
  var header: String {
    let line = columns("benchmark", "ours", "C", "ratio", "quartiles", "limit")
    return line + "\n" + String(repeating: "-", count: line.count)
  }

  /// Returns the line with the results of one benchmark.
  func line(_ benchmark: Benchmark, _ comparison: Comparison) -> String {
    let quartiles = comparison.quartiles
    return columns(
      benchmark.title,
      time(comparison.ourTime),
      time(comparison.baselineTime),
      decimal(comparison.ratio),
      decimal(quartiles.lower) + "–" + decimal(quartiles.upper),
      decimal(benchmark.limit)
    ) + (comparison.ratio > benchmark.limit ? "  over" : "")
  }

  /// Returns the line of a benchmark that is listed but not run.
  func listing(_ benchmark: Benchmark) -> String {
    padded(benchmark.group.rawValue, 9) + padded(benchmark.title, titleWidth)
      + padded(decimal(benchmark.limit), -8)
  }

  private func columns(
    _ title: String,
    _ ours: String,
    _ baseline: String,
    _ ratio: String,
    _ quartiles: String,
    _ limit: String
  ) -> String {
    padded(title, titleWidth) + padded(ours, -11) + padded(baseline, -11) + padded(ratio, -8)
      + padded(quartiles, -13) + padded(limit, -8)
  }

  private func time(_ seconds: Double) -> String {
    seconds < 0.001 ? decimal(seconds * 1e6) + " µs" : decimal(seconds * 1e3) + " ms"
  }

  /// A number with two decimal places, or with two significant digits.
  private func decimal(_ number: Double) -> String {
    number > 0 && number < 0.1 ? String(format: "%.2g", number) : String(format: "%.2f", number)
  }

  /// Pads a text with spaces: on the left when `width` is negative.
  private func padded(_ text: String, _ width: Int) -> String {
    let spaces = String(repeating: " ", count: max(0, abs(width) - text.count))
    return width < 0 ? spaces + text : text + spaces
  }
}
