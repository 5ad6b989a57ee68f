import SharingTestSupport
import Testing
struct Dashboard {
  init() {}
  init(_ pool: DatabasePool) {}
  var waiting: Int { 0 }
  var hasBacklog: Bool { false }
}
struct Settings { var volume = 5 }
let migrator = DatabaseMigrator()
struct NotFound: Error {}
struct Order: Codable, Hashable, Sendable, FetchableRecord { var id: Int64 }
struct Job: Codable, PersistableRecord { var name: String }
enum Schema {
  @Sendable static func create(_ db: Database) throws {}
}
extension SharedReaderKey where Self == FetchKey<[Order]>.Default {
  static var openOrders: Self { Self[.fetchAll(sql: "SELECT 1"), default: []] }
}
let path = ""
let dashboard = Dashboard()
