/// An event in the history of a process.
package struct HistoryEvent: Hashable, Sendable {
  /// The nanoseconds of the monotonic clock, which all processes of a machine share.
  package var time: UInt64
  package var kind: Kind

  /// The kind of an event.
  package enum Kind: Hashable, Sendable {
    /// A write begins.
    case began(Int)
    /// A write has returned.
    case acknowledged(Int)
    /// A write has failed, and promises that nothing was written.
    case refused(Int)
    /// A write has failed, and leaves open whether it was written.
    case unknown(Int)
    /// An observation shows how many rows there are, and the id of the last one.
    case observed(count: Int, last: Int)
    /// Anything else, for a reader.
    case said(String)
  }

  /// Makes a value of its parts.
  package init(time: UInt64, _ kind: Kind) {
    self.time = time
    self.kind = kind
  }

  /// The line of the event in the file of a history.
  package var line: String {
    switch kind {
    case .began(let id): "\(time) began \(id)"
    case .acknowledged(let id): "\(time) acknowledged \(id)"
    case .refused(let id): "\(time) refused \(id)"
    case .unknown(let id): "\(time) unknown \(id)"
    case .observed(let count, let last): "\(time) observed \(count) \(last)"
    case .said(let text): "\(time) said \(text.replacing("\n", with: " "))"
    }
  }

  /// Reads a line; `nil` if it holds no event, as the last line of a process that was killed.
  package init?(line: Substring) {
    let words = line.split(separator: " ", maxSplits: 2)
    guard words.count == 3, let time = UInt64(words[0]) else { return nil }
    self.time = time
    let numbers = words[2].split(separator: " ").map { Int($0) }
    switch (words[1], numbers.first ?? nil) {
    case ("began", let id?): kind = .began(id)
    case ("acknowledged", let id?): kind = .acknowledged(id)
    case ("refused", let id?): kind = .refused(id)
    case ("unknown", let id?): kind = .unknown(id)
    case ("observed", let count?):
      guard numbers.count == 2, let last = numbers[1] else { return nil }
      kind = .observed(count: count, last: last)
    case ("said", _): kind = .said(String(words[2]))
    default: return nil
    }
  }
}
