/// The statement that inserts the records of one type, with the columns that the records are
/// expected to set.
final class InsertionPlan {
  let statement: Statement
  /// The column of each parameter.
  let slots: UnsafeMutablePointer<PersistenceContainer.Slot>
  let columnCount: Int
  /// The encoding context of the records. Once a record has read a value back, values are collected
  /// instead of bound.
  let context: PersistenceContainer.EncodingContext
  /// The encoder of `Encodable` records, while no record uses it.
  @exclusivity(unchecked) var encoder: RecordEncoder?

  init(statement: Statement, columns: [String], context: PersistenceContainer.EncodingContext) {
    self.statement = statement
    self.context = context
    columnCount = columns.count
    slots = .allocate(capacity: max(columns.count, 1))
    for (index, column) in columns.enumerated() {
      let bits = unsafeBitCast(column, to: (UInt64, UInt64).self)
      (slots + index).initialize(to: PersistenceContainer.Slot(column: column, bits: bits))
    }
  }

  deinit {
    slots.deinitialize(count: columnCount)
    slots.deallocate()
  }
}
