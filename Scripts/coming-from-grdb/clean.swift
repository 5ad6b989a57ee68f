// What the rules do not name: import GRDB in a comment, and names that only look alike.
import Foundation
import Storage

struct GRDBNames {
  let importGRDB = true
  var RecordName = "Record"
  func rules(_ db: Database) throws {
    // import GRDB
    let observation: ValueObservation<[String]>
    _ = try String.fetchAll(db, sql: "SELECT name FROM item")
    let changes = try player.databaseChanges(from: other)
    throw RecordError.recordNotFound(databaseTableName: "item", key: [:])
  }
}

extension DerivableRequest<Player> {}
struct Recording: FetchableRecord {}
