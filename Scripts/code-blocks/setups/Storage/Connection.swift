import CWellspringSQLite
struct Logger { func error(_ text: String, metadata: [String: String]) {} }
struct Counter { func increment(by count: Int) {} }
struct Restaurant: TableRecord {
  enum Columns { static let name = Column("name") }
}
func report(_ db: Database) {}
func removeFile(_ id: Int) {}
let logger = Logger()
let failures = Counter()
let sql = ""
let upload = ""
let statement: Statement = example()
let queue: DatabaseQueue = example()
let plain: DatabaseCollation = example()
let initial: DatabaseFunction = example()
