internal import Foundation
internal import Storage

/// The columns of ``Player`` in a record with handwritten decoding, by index.
struct HandwrittenPlayer {
  var id: Int
  var name: String
  var email: String?
  var score: Double
  var joined: Date
}

extension HandwrittenPlayer: FetchableRecord {
  init(row: Row) throws {
    id = row[0]
    name = row[1]
    email = row[2]
    score = row[3]
    joined = row[4]
  }
}

extension HandwrittenPlayer: Checksummed {
  var checksum: Int {
    [id, name.checksum, email.checksum, score.checksum, joined.checksum].checksum
  }
}
