internal import CommandLineSupport
internal import Replication

extension ReplicasReport {
  /// The report for people.
  func table() -> String {
    var lines = [heading]
    for snapshot in snapshots ?? [] {
      lines.append(
        "snapshot of entry \(snapshot.entry), \(Self.size(snapshot.bytes)), "
          + "\(Self.age(time - snapshot.time)) old"
      )
    }
    lines.append("")
    if nodes.isEmpty {
      lines.append("No node has announced itself.")
    } else {
      let titles = [
        "address", "role", "epoch", "applied", "lag", "age", "outbox", "snapshot", "on",
      ]
      lines += Self.aligned([titles] + nodes.map(Self.cells), atRight: [2, 3, 4, 5, 6, 7])
    }
    // They may be over with the next attempt.
    let errors = nodes.compactMap { node in node.error.map { "\(node.address): \($0)" } }
    if !errors.isEmpty {
      lines.append("")
      lines += errors.map { "Last error of \(DisplayText.escaped($0))" }
    }
    if !problems.isEmpty {
      lines.append("")
      lines += problems.map { "Problem: \(DisplayText.escaped($0))" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var heading: String {
    guard let first = log.first else {
      return "\(DisplayText.escaped(database)): the log is empty"
    }
    return "\(DisplayText.escaped(database)): entries \(first) to \(log.last), "
      + "\(Self.size(log.bytesInUse)) of \(Self.size(log.bytes)) in use"
  }

  private static func cells(_ node: NodeAnnouncement) -> [String] {
    var role = node.role == .needsSnapshot ? "needs snapshot" : node.role.rawValue
    if node.isPreferred { role += ", preferred" }
    if !node.mayBePrimary { role += ", never primary" }
    return [
      node.address, role, "\(node.epoch)", "\(node.applied)", node.lag.map(String.init) ?? "?",
      node.dataAge.map(age) ?? "?", "\(node.outbox)", node.snapshot.map(String.init) ?? "",
      "\(node.host) (\(node.process))",
    ]
  }

  private static func aligned(_ rows: [[String]], atRight: Set<Int>) -> [String] {
    let cells = rows.map { $0.map { DisplayText($0, limit: 60) } }
    let widths = rows[0].indices.map { column in cells.map { $0[column].width }.max() ?? 0 }
    return cells.map { row in
      let padded = row.enumerated().map { column, cell in
        let room = String(repeating: " ", count: widths[column] - cell.width)
        return atRight.contains(column) ? room + cell.text : cell.text + room
      }
      let line = padded.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  private static func size(_ bytes: Int64) -> String {
    bytes < 10_000_000 ? "\(bytes / 1000) kB" : "\(bytes / 1_000_000) MB"
  }

  /// A time in milliseconds for people.
  private static func age(_ milliseconds: Int64) -> String {
    // Clocks differ.
    let milliseconds = max(0, milliseconds)
    return switch milliseconds {
    case ..<10_000: "\(Double(milliseconds / 100) / 10) s"
    case ..<120_000: "\(milliseconds / 1000) s"
    case ..<7_200_000: "\(milliseconds / 60_000) min"
    case ..<172_800_000: "\(milliseconds / 3_600_000) h"
    default: "\(milliseconds / 86_400_000) d"
    }
  }
}
