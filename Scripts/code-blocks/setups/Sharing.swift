import Observation
struct Order: Codable, Hashable, Sendable, FetchableRecord { var id: Int64 }
struct Price: Codable, Hashable, Sendable, FetchableRecord { var price: Double }
struct Job: Codable, Hashable, Sendable, FetchableRecord { var id: Int64 }
struct Account: Codable, Hashable, Sendable, FetchableRecord { var balance: Int }
extension SharedReaderKey where Self == FetchKey<[Order]>.Default {
  static var openOrders: Self { Self[.fetchAll(sql: "SELECT 1"), default: []] }
}
struct Stock: FetchKeyRequest {
  func fetch(_ db: Database) throws -> Int { 0 }
}
let limit = 10
let pattern = ""
@SharedReader(value: []) var items: [Item]
@SharedReader(value: []) var accounts: [Account]
@SharedReader(value: 0) var total: Int
