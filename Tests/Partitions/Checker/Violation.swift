/// A promise of replicas that a history breaks.
package enum Violation: Hashable, Sendable {
  /// An acknowledged write is in no row.
  case lost(Int)
  /// A write is in several rows.
  case doubled(Int)
  /// A write comes after a later write: the later write began when this write had returned, or the
  /// same process has made it later.
  case reordered(Int, after: Int)
  /// A refused write is in a row.
  case refusedButPresent(Int)
  /// A row has an id that no process has written.
  case unknownRow(Int)
  /// An observation of a process shows fewer rows than before.
  case wentBack(process: String, from: Int, to: Int)
  /// An observation shows another last write than the file has at that place.
  case observedAnother(process: String, count: Int, last: Int)
  /// The files of two nodes differ.
  case filesDiffer(String, String)
}

extension Violation: CustomStringConvertible {
  package var description: String {
    switch self {
    case .lost(let id): "the acknowledged write \(id) is lost"
    case .doubled(let id): "the write \(id) is in several rows"
    case .reordered(let id, let other): "the write \(id) comes after the later write \(other)"
    case .refusedButPresent(let id): "the refused write \(id) is in a row"
    case .unknownRow(let id): "no process has written the row \(id)"
    case .wentBack(let process, let from, let to):
      "\(process) has observed \(from) rows, and \(to) rows later"
    case .observedAnother(let process, let count, let last):
      "\(process) has observed \(last) as row \(count), and the file has another one"
    case .filesDiffer(let first, let second): "the files of \(first) and \(second) differ"
    }
  }
}
