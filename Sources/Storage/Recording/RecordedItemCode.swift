/// The first byte of each item in the binary form of a recorded transaction.
enum RecordedItemCode: UInt8 {
  case table = 1
  case insert
  case update
  case delete
  case schema
  case sequences
  case allSequences
  case userVersion
  case applicationID
  case snapshotNeeded
}

/// The first byte of each value in the binary form of a recorded transaction.
enum RecordedValueCode: UInt8 {
  case null = 0
  case integer
  case real
  case text
  case blob
}
