struct Settings: Codable, Sendable, FetchableRecord { var volume: Int }
func show(_ items: [Item]) {}
func warn(_ error: any Error) {}
@SharedReader(value: []) var items: [Item]
