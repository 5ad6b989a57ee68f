struct Hero: Codable, Identifiable, FetchableRecord, PersistableRecord { var id: Int64 }
struct LibraryKeys: DatabaseSchemaSource {}
func rename(_ db: Database) throws {}
var migrator = DatabaseMigrator()
