internal import WellspringPlatform

/// The result of a `UNION ALL`, with what is needed to patch it: see ``CompoundQuery``.
///
/// It can be sent to another thread if its elements can: those of a closure are values.
struct CompoundResult<Element>: @unchecked Sendable {
  /// The values of the parameters of the whole statement.
  let arguments: [DatabaseValue]
  /// The results of the queries, whose elements are here.
  private var parts: [PatchedResult<Element>] = []
  var elements: [Element] = []
  /// Tells these elements from others.
  private var version = SpareElements<Element>.Version()
  /// The elements before, if they are kept.
  private let spare = SpareElements<Element>()

  /// The plans of the queries.
  var plans: [PatchPlan] { parts.map(\.plan) }

  /// The bytes that are held beside the elements.
  var memory: Int { parts.reduce(0) { $0 + $1.memory } }

  /// Runs all queries.
  ///
  /// - Parameters:
  ///   - queries: The plan of each query, and the values of its parameters.
  ///   - arguments: The values of the parameters of the whole statement.
  ///   - db: A snapshot.
  ///   - form: What elements are made of.
  ///   - decode: Makes an element of a row.
  /// - Throws: The error of a query.
  init(
    _ queries: [(plan: PatchPlan, arguments: [DatabaseValue])],
    _ arguments: [DatabaseValue],
    _ db: Database,
    _ form: RowForm,
    _ decode: @escaping PatchedResult<Element>.Decode
  ) throws {
    self.arguments = arguments
    for query in queries {
      var part = try PatchedResult(query.plan, query.arguments, db, form, decode)
      elements += part.takeElements()
      parts.append(part)
    }
  }

  mutating func patch(
    changed: ChangedRows,
    _ db: Database,
    _ form: RowForm,
    _ decode: @escaping PatchedResult<Element>.Decode
  ) throws -> RowPatch? {
    var left: [Int] = []
    var arrived: [(place: Int, row: Int)] = []
    var rows: [Element] = []
    /// Where the rows of a query begin in the former result and in the new one.
    var (oldStart, newStart) = (0, 0)
    for index in parts.indices {
      let former = parts[index].rowCount
      guard let found = try parts[index].patchOrder(changed: changed, db, form, decode) else {
        return nil
      }
      left += found.patch.left.map { $0 + oldStart }
      let start = Fault.isOn(.patchCompound) ? oldStart : newStart
      arrived += found.patch.arrived.map { ($0.place + start, $0.row + rows.count) }
      rows += found.elements
      oldStart += former
      newStart += found.patch.count
    }
    let patch = RowPatch(left: left, arrived: arrived, count: newStart)
    spare.apply(patch, rows, to: &elements, &version)
    return patch
  }
}

extension CompoundResult: PatchedRows {
  var inputs: PatchInputs {
    parts.reduce(into: PatchInputs.none) { $0.formUnion($1.plan.inputs) }
  }
}
