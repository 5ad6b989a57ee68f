struct Sell: ForwardableWrite {
  var itemID: Int64
  func write(_ db: Database) throws -> Int64 { itemID }
}
struct Restock: ForwardableWrite {
  func write(_ db: Database) throws -> Int64 { 0 }
}
struct Sale: DatabaseRecord {
  var id: Int64
}
struct Client {
  func post(_ url: String, body: [UInt8]) async throws -> [UInt8] { body }
}
let node: ReplicatedDatabase = example()
let client = Client()
let request: [UInt8] = []
let forwarder = WriteForwarder(node) { _, request in request }
