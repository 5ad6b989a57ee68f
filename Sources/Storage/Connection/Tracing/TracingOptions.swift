internal import CWellspringSQLite

extension Database {
  /// The events that ``trace(options:_:)`` reports.
  public struct TracingOptions: OptionSet, Sendable {
    /// SQLite's mask.
    public let rawValue: UInt32

    /// Creates options from SQLite's mask.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Each statement as it begins, including the statements of triggers.
    public static let statement = TracingOptions(rawValue: UInt32(SQLITE_TRACE_STMT))

    /// Each statement as it ends, with its duration.
    public static let profile = TracingOptions(rawValue: UInt32(SQLITE_TRACE_PROFILE))
  }
}
