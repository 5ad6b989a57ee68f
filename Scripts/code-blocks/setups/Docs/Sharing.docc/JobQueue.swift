import SharingTestSupport
import Testing
struct Attempt: Codable, Equatable, Identifiable, Sendable, FetchableRecord, PersistableRecord {
  var id: Int64
  var error: String?
  enum Columns { static let id = Column("id") }
}
