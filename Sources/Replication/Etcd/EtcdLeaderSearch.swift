/// Decides how long a client waits for a new leader, from the states that the members tell.
///
/// It reads no clock, and asks no member: its owner asks one member after the other, and passes the
/// times. Times are in nanoseconds.
struct EtcdLeaderSearch {
  /// How long the members may follow the former leader before they notice its absence.
  private static let noticing: UInt64 = 500_000_000
  /// How long a member may lack a leader while others follow the former one. They notice its
  /// absence at different times, unless only that member is cut off.
  private static let spread: UInt64 = 1_000_000_000

  private enum State {
    case following
    case leaderless
  }

  /// The last election that the client knows.
  private let term: UInt64
  private let start: UInt64
  private let deadline: UInt64
  /// How many members the search began with.
  private let count: Int
  /// When a member without a leader was found first.
  private var election: UInt64?
  /// The last state of each member that has answered.
  private var states: [Int: State] = [:]
  /// The members to ask, in their order: those that have always answered.
  private(set) var members: [Int]

  /// Begins a search.
  ///
  /// - Parameters:
  ///   - members: The members, in the order in which they are asked.
  ///   - term: The last election that the client knows.
  ///   - start: The time.
  ///   - deadline: When the search ends at the latest.
  init(among members: [Int], after term: UInt64, from start: UInt64, until deadline: UInt64) {
    self.members = members
    count = members.count
    self.term = term
    self.start = start
    self.deadline = deadline
  }

  /// When the search ends without a result.
  var end: UInt64 {
    guard !members.isEmpty else { return start }
    guard let election else { return min(deadline, start + Self.noticing) }
    // When most members follow no leader, no member can answer a call.
    let isSure = 2 * states.values.count { $0 == .leaderless } > count
    return isSure ? deadline : min(deadline, election + Self.spread)
  }

  /// A member has not answered, although it had time for that.
  mutating func didNotAnswer(_ member: Int) {
    members.removeAll { $0 == member }
    states[member] = nil
  }

  /// A member has told the election that its leader has won; `nil` if it follows none.
  ///
  /// - Returns: Whether the member follows a leader that the client can expect an answer of: a new
  ///   one, or the former one, which the member has found again.
  mutating func didAnswer(_ member: Int, termOfLeader: UInt64?, at now: UInt64) -> Bool {
    guard let termOfLeader else {
      states[member] = .leaderless
      if election == nil { election = now }
      return false
    }
    if termOfLeader > term { return true }
    if states[member] == .leaderless, termOfLeader == term { return true }
    states[member] = .following
    return false
  }
}
