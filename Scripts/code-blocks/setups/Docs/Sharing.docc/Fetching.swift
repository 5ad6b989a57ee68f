struct Order: Codable, Hashable, Sendable, FetchableRecord { var id: Int64 }
struct Price: Codable, Hashable, Sendable, FetchableRecord, TableRecord { var price: Double }
struct Job: Codable, Hashable, Sendable, FetchableRecord, TableRecord { var id: Int64 }
let pattern = ""
let parameter = ""
let next: KeysetPosition = example()
@SharedReader(value: []) var items: [Item]
@SharedReader(value: 0) var count: Int
let reports: DatabasePool = example()
