func refreshRemoteFiles() {}
func remoteFiles() -> [String] { [] }
let observation = DatabaseRegionObservation(tracking: DatabaseRegion(table: "item"))
