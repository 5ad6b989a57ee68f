import SharingTestSupport
import Testing
struct Dashboard {
  var waiting: Int { 0 }
  var hasBacklog: Bool { false }
}
struct Job: Codable, PersistableRecord { var name: String }
enum Schema {
  @Sendable static func create(_ db: Database) throws {}
}
