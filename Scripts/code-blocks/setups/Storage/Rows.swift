struct Wine: FetchableRecord { init(row: Row) throws {} }
struct Region: FetchableRecord { init(row: Row) throws {} }
protocol Shape {}
struct Circle: Decodable, Shape {}
struct Square: Decodable, Shape {}
enum Kind: String, Decodable { case circle, square }
enum Key: CodingKey { case kind }
enum Columns {
  static let name = Column("name")
  static let email = Column("email")
}
let sql = ""
