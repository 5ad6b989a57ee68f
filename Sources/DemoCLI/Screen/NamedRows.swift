/// Rows of a table that commits have changed, as the log of the file names them.
struct NamedRows: Equatable, Sendable {
  /// The hashes of the rows that are there, by their row ids.
  var present: [Int64: Int] = [:]
  /// The row ids that no row has.
  var absent: Set<Int64> = []

  var isEmpty: Bool { present.isEmpty && absent.isEmpty }

  var count: Int { present.count + absent.count }

  /// Adds a later state of rows.
  mutating func merge(_ later: NamedRows) {
    for id in later.absent { present[id] = nil }
    absent.subtract(later.present.keys)
    absent.formUnion(later.absent)
    present.merge(later.present) { $1 }
  }
}
