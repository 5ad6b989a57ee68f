extension DatabaseActivity {
  /// A WAL that has passed ``Configuration/maximumWALPageCount``.
  public struct WALOverLimit: Hashable, Sendable, CustomStringConvertible {
    /// The length of the WAL in pages, when it had passed the limit.
    public let pageCount: Int

    /// The limit.
    public let limit: Int

    /// What keeps the WAL from being emptied: snapshots and reads by their names, or other
    /// processes. Empty when the WAL was emptied.
    public let holders: [String]

    /// Whether the WAL was emptied.
    public var isEmptied: Bool { holders.isEmpty }

    /// Creates a state, for example to test an instrument.
    public init(pageCount: Int, limit: Int, holders: [String] = []) {
      self.pageCount = pageCount
      self.limit = limit
      self.holders = holders
    }

    /// The numbers of pages and what holds them, in one line.
    public var description: String {
      let text = "the WAL has passed its limit: \(pageCount) of \(limit) pages"
      return isEmptied ? "\(text), emptied" : "\(text), held by \(holders.joined(separator: ", "))"
    }
  }
}
