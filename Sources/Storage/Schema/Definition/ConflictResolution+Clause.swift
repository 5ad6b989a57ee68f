extension Database.ConflictResolution {
  /// The clause ` ON CONFLICT IGNORE`; empty for the default.
  var clause: String { self == .abort ? "" : " ON CONFLICT \(rawValue)" }
}

extension Optional<Database.ConflictResolution> {
  /// The clause ` ON CONFLICT IGNORE`; empty for the default.
  var clause: String { self.map(\.clause) ?? "" }
}
