struct Keys: DatabaseSchemaSource {}
func rename(_ db: Database) throws {}
var migrator = DatabaseMigrator()
