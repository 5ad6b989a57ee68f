func seal(_ data: Data) -> Data { data }
func unseal(_ data: Data) -> Data? { data }
func removeFile(_ id: Int64) {}
var migrator = DatabaseMigrator()
let id: Int64 = 1
