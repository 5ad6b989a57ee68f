// The records that the code blocks use.
import Foundation
import Storage

struct Player: Codable, Hashable, Sendable, Identifiable, FetchableRecord, PersistableRecord {
  var id: Int64
  var name: String
  var score: Int
  var teamID: Int64?

  static let team = belongsTo(Team.self)

  enum CodingKeys: String, CodingKey, ColumnExpression { case id, name, score, teamID }

  enum Columns {
    static let id = Column("id")
    static let name = Column("name")
    static let nickname = Column("nickname")
    static let email = Column("email")
    static let score = Column("score")
    static let bonus = Column("bonus")
    static let teamID = Column("teamID")
    static let team = Column("team")
    static let color = Column("color")
    static let height = Column("height")
    static let mask = Column("mask")
    static let info = JSONColumn("info")
    static let isActive = Column("isActive")
    static let createdAt = Column("createdAt")
  }
}

struct PartialPlayer: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "player"
  var name: String
}

struct Team: Codable, Hashable, Sendable, Identifiable, FetchableRecord, PersistableRecord {
  var id: Int64
  var name: String
  var color: String?

  static let players = hasMany(Player.self)
  static let league = belongsTo(League.self)

  enum Columns {
    static let id = Column("id")
    static let name = Column("name")
    static let color = Column("color")
  }
}

struct TeamInfo: Codable, FetchableRecord {
  var team: Team
  var size: Int

  enum CodingKeys: String, CodingKey { case team, size, playerCount }
  init(from decoder: any Decoder) throws { fatalError() }
  func encode(to encoder: any Encoder) throws {}
}

struct League: Codable, FetchableRecord, PersistableRecord { var id: Int64 }

struct Citizenship: Codable, Hashable, FetchableRecord, PersistableRecord {
  var playerID: Int64
  var countryCode: String
}

struct Award: TableRecord {
  enum Columns { static let playerID = Column("playerID") }
}

struct Document: Codable, Identifiable, FetchableRecord, PersistableRecord {
  var id: Int64
  var content: String
}

struct Item: Codable, Hashable, Sendable, Identifiable, FetchableRecord, PersistableRecord {
  var id: Int64
  var name: String
  var price: Double
  var stock: Int

  enum Columns {
    static let id = Column("id")
    static let name = Column("name")
    static let price = Column("price")
    static let stock = Column("stock")
  }
}

struct Person: Codable, FetchableRecord, PersistableRecord { var id: Int64 }
struct Passport: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  static let owner = belongsTo(Person.self)
}
struct City: Codable, FetchableRecord, PersistableRecord { var id: Int64 }
struct Tag: Codable, FetchableRecord, PersistableRecord { var id: Int64 }

struct Employee: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var name: String
  var managerID: Int64?

  enum Columns {
    static let id = Column("id")
    static let name = Column("name")
    static let managerID = Column("managerID")
  }
}

struct User: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var name: String
}

struct Place: Codable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var name: String
}

struct Attachment: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var type: String
  enum Columns { static let type = Column("type") }
}
