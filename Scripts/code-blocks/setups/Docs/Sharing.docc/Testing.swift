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

struct Order: Codable, Hashable, Sendable, FetchableRecord { var id: Int64 }
struct Task: Codable, Sendable, FetchableRecord { var isDone: Bool }
struct Service { @SharedReader(value: []) var jobs: [Task] }
extension SharedReaderKey where Self == FetchKey<[Order]>.Default {
  static var openOrders: Self { Self[.fetchAll(sql: "SELECT 1"), default: []] }
}
let service = Service()
