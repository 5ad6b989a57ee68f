/// Compares the answers and the shown values of nodes with the final content of their files.
///
/// It is pure: it reads no file and no clock. Each write has an id of its own, adds one row, and
/// no row is ever removed.
package struct HistoryChecker: Sendable {
  package var histories: [ProcessHistory]
  package var files: [FinalFile]

  /// Makes a value of its parts.
  package init(histories: [ProcessHistory], files: [FinalFile]) {
    self.histories = histories
    self.files = files
  }

  /// Returns the promises that the history breaks.
  ///
  /// - Complexity: O(*n*) in the number of events and rows.
  package func violations() -> [Violation] {
    guard let first = files.first else { return [] }
    var violations = files.dropFirst().filter { $0.ids != first.ids || $0.rest != first.rest }
      .map { Violation.filesDiffer(first.node, $0.node) }
    // A file that differs has violations of its own.
    for file in files where file.node == first.node || file.ids != first.ids {
      for violation in self.violations(file) where !violations.contains(violation) {
        violations.append(violation)
      }
    }
    return violations + histories.flatMap { backwardSteps($0) + otherRows($0, first) }
  }

  // MARK: Writes

  private func violations(_ file: FinalFile) -> [Violation] {
    var rows: [Int: Int] = [:]
    for id in file.ids { rows[id, default: 0] += 1 }
    var violations = rows.filter { $0.value > 1 }.keys.sorted().map(Violation.doubled)
    var written: Set<Int> = []
    for event in histories.lazy.flatMap(\.events) {
      switch event.kind {
      case .began(let id): written.insert(id)
      case .acknowledged(let id) where rows[id] == nil: violations.append(.lost(id))
      case .refused(let id) where rows[id] != nil: violations.append(.refusedButPresent(id))
      default: break
      }
    }
    violations += file.ids.filter { !written.contains($0) }.map(Violation.unknownRow)
    return violations + reorderings(file)
  }

  /// The writes that come in the file after a write that was made later.
  ///
  /// A write is later than another write if it began after the other write had returned. The writes
  /// of one process are made one after the other, also the writes of unknown outcome.
  private func reorderings(_ file: FinalFile) -> [Violation] {
    var begin: [Int: UInt64] = [:]
    var end: [Int: UInt64] = [:]
    var process: [Int: Int] = [:]
    for (number, history) in histories.enumerated() {
      for event in history.events {
        switch event.kind {
        case .began(let id):
          begin[id] = event.time
          process[id] = number
        case .acknowledged(let id): end[id] = event.time
        default: break
        }
      }
    }
    var violations: [Violation] = []
    var latestBegin: (time: UInt64, id: Int) = (0, 0)
    var latestOfProcess: [Int: (time: UInt64, id: Int)] = [:]
    for id in file.ids {
      guard let time = begin[id], let number = process[id] else { continue }
      if let other = latestOfProcess[number], other.time > time {
        violations.append(.reordered(id, after: other.id))
      } else if let end = end[id], latestBegin.time > end {
        violations.append(.reordered(id, after: latestBegin.id))
      }
      if time > latestBegin.time { latestBegin = (time, id) }
      if time > latestOfProcess[number]?.time ?? 0 { latestOfProcess[number] = (time, id) }
    }
    return violations
  }

  // MARK: Observations

  private func backwardSteps(_ history: ProcessHistory) -> [Violation] {
    var violations: [Violation] = []
    var last = 0
    for case .observed(let count, _) in history.events.lazy.map(\.kind) {
      if count < last {
        violations.append(.wentBack(process: history.name, from: last, to: count))
      }
      last = count
    }
    return violations
  }

  private func otherRows(_ history: ProcessHistory, _ file: FinalFile) -> [Violation] {
    history.events.compactMap { event in
      guard case .observed(let count, let last) = event.kind, count > 0,
        !file.ids.indices.contains(count - 1) || file.ids[count - 1] != last
      else { return nil }
      return .observedAnother(process: history.name, count: count, last: last)
    }
  }
}
