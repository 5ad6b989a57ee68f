struct Hero: Codable, Identifiable, FetchableRecord, PersistableRecord { var id: Int64 }
struct LibraryKeys: DatabaseSchemaSource {}
struct ServiceIsTooNew: Error {}
struct ServiceIsTooOld: Error {}
func createSchema(_ db: Database) throws {}
func createPlayers(_ db: Database) throws {}
func addScores(_ db: Database) throws {}
let heroes: SQLRequest<Row> = example()
let violation: ForeignKeyViolation = example()
let t: TableDefinition = example()
var migrator = DatabaseMigrator()
