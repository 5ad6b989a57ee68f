struct Book: Codable, TableRecord {
  static let person = belongsTo(Person.self)
  var title: String
  var genre: String
  var price: Double
  var isLent: Bool
}
struct BookInfo { enum CodingKeys: String, CodingKey { case author } }
struct BookAuthorPair: FetchableRecord { init(row: Row) throws {} }
enum CodingKeys: String, CodingKey, ColumnExpression { case id, name, maxScore, points }
struct User: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var name: String
  enum Columns { static let city = Column("city") }
}
let leaders = CommonTableExpression<Player>(named: "leader", request: Player.all())
let manager = TableAlias<Employee>(name: "manager")
let position: KeysetPosition = example()
let parameter = ""
let user: User = example()
var query: SQL = "SELECT * FROM player "
