// The values that the code blocks use. They are compiled only.
import Foundation
import Storage

func example<Value>() -> Value { fatalError() }

var db: Database { example() }
var row: Row { example() }
var configuration: Configuration {
  get { example() }
  set {}
}
var player: Player { example() }
var players: [Player] { example() }
var team: Team { example() }
var teams: [Team] { example() }
var item: Item { example() }
var cup: Item { example() }
var mug: Item { example() }
var id: Int64 { example() }
var ids: [Int64] { example() }
var users: Table<Row> { example() }
var posts: Table<Row> { example() }
var name: String { example() }
var request: QueryInterfaceRequest<Player> { example() }
var maximum: QueryInterfaceRequest<Player> { example() }
var path: String { example() }
var migrator: DatabaseMigrator { example() }
