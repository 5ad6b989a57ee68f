extension Database {
  /// What a connection does while another connection holds the database.
  public typealias BusyMode = Configuration.BusyMode

  /// Decides whether a connection tries again, from the number of its attempts.
  public typealias BusyCallback = @Sendable (Int) -> Bool
}
