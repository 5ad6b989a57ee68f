struct Order: Codable, Hashable, Sendable, FetchableRecord { var id: Int64 }
