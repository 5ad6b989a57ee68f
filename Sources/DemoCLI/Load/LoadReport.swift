/// The measurements of a load.
struct LoadReport {
  let options: LoadOptions
  let seconds: Double
  /// The times from the begin of a transaction to the end of its commit.
  let commits: Latencies
  /// The times from the begin of a transaction to the value that contains it.
  let deliveries: Latencies

  private static let shares = [
    ("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999), ("max", 1),
  ]

  /// The report for people.
  var text: String {
    let count = commits.sorted.count
    let rate = Int((Double(count) / max(seconds, 0.001)).rounded())
    var lines = [
      "\(count) commits of \(plural(options.writers, "writer")) in \(tenths(seconds)) s: "
        + "\(rate) a second, \(plural(options.watchers, "watcher"))",
      "",
      row("", Self.shares.map(\.0)),
      row("commit", times(commits)),
    ]
    if options.watchers > 0 { lines.append(row("value", times(deliveries))) }
    lines += histogram("Time of a commit", commits)
    if options.watchers > 0 { lines += histogram("Time until the value is delivered", deliveries) }
    return lines.map { $0 + "\n" }.joined()
  }

  private func times(_ latencies: Latencies) -> [String] {
    Self.shares.map { latencies.percentile($0.1).map(Latencies.text) ?? "-" }
  }

  private func row(_ name: String, _ cells: [String]) -> String {
    padded(name, to: 8, atRight: false) + cells.map { padded($0, to: 10, atRight: true) }.joined()
  }

  private func histogram(_ title: String, _ latencies: Latencies) -> [String] {
    let buckets = latencies.histogram
    let highest = buckets.map(\.count).max() ?? 0
    return ["", title]
      + buckets.map { bucket in
        let width = bucket.count == 0 ? 0 : max(1, bucket.count * 50 / highest)
        return "  < " + padded(Latencies.text(bucket.bound), to: 8, atRight: true) + "  "
          + String(repeating: "#", count: width) + (width > 0 ? " " : "") + "\(bucket.count)"
      }
  }

  private func padded(_ text: String, to width: Int, atRight: Bool) -> String {
    let spaces = String(repeating: " ", count: max(0, width - text.count))
    return atRight ? spaces + text : text + spaces
  }

  private func plural(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  private func tenths(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
