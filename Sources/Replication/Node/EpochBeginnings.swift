/// Where each epoch began, as far as a node knows: it tells whether a write is in the history.
struct EpochBeginnings: Hashable, Sendable {
  /// The fate of the write of a token, as far as a node knows it.
  enum Fate: Hashable, Sendable {
    /// The node has it.
    case contained
    /// The node has not read that far.
    case ahead
    /// A later epoch began before the write.
    case discarded
  }

  /// The positions of the first entries, by epoch, in ascending order of both.
  private var beginnings: [(epoch: Int64, position: LogPosition)] = []

  /// Notes that an epoch begins.
  mutating func begin(_ epoch: Int64, at position: LogPosition) {
    guard epoch > beginnings.last?.epoch ?? .min else { return }
    beginnings.append((epoch, position))
  }

  /// Drops the epochs before the epoch that contains a position, since the log no longer has them.
  mutating func forget(below position: LogPosition) {
    while beginnings.count > 1, beginnings[1].position <= position { beginnings.removeFirst() }
  }

  /// Finds out the fate of a write.
  ///
  /// - Parameters:
  ///   - token: The token that the write returned.
  ///   - place: The last entry that is in the node's file.
  /// - Returns: Its fate.
  func fate(of token: WriteToken, at place: HistoryPosition) -> Fate {
    // The first later epoch ends the token's epoch. All of its entries have later positions.
    if let next = beginnings.first(where: { $0.epoch > token.epoch }),
      next.position.sequence <= token.sequence
    {
      return .discarded
    }
    // The entries of a later epoch may take the places of entries that the log has lost.
    guard token.epoch <= place.epoch else { return .ahead }
    return token.sequence <= place.position.sequence ? .contained : .ahead
  }

  static func == (left: Self, right: Self) -> Bool {
    left.beginnings.elementsEqual(right.beginnings, by: ==)
  }

  func hash(into hasher: inout Hasher) {
    for (epoch, position) in beginnings {
      hasher.combine(epoch)
      hasher.combine(position)
    }
  }
}
