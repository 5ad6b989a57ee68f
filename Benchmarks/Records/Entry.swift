internal import Storage

/// A row with a key, a text, and a number that changes.
struct Entry: FetchableRecord, Equatable {
  let id: Int
  let name: String
  let number: Int

  init(row: Row) throws {
    id = row[0]
    name = row[1]
    number = row[2]
  }
}
