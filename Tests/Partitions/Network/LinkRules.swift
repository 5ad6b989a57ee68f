/// The rule for the packets from one host to another host.
struct PairRule: Hashable, Sendable {
  /// Whether all packets are lost. No host is notified.
  var isCut = false
  /// The share of packets that are lost.
  var loss = 0.0
  /// The share of packets that come twice, the second time a little later.
  var duplication = 0.0
  /// How long a packet takes.
  var delay = Duration.zero
  /// How much longer a packet may take, by chance. Packets overtake each other then.
  var jitter = Duration.zero
}

/// The rules of a network.
struct LinkRules: Sendable {
  private let count: Int
  private var pairs: [PairRule]
  /// How many bytes the link of each host carries in a second, in each direction.
  var rates: [Double?]

  init(count: Int) {
    self.count = count
    pairs = Array(repeating: PairRule(), count: count * count)
    rates = Array(repeating: nil, count: count)
  }

  /// The rule for packets from one host to another host.
  subscript(from sender: Int, to receiver: Int) -> PairRule {
    get { pairs[sender * count + receiver] }
    set { pairs[sender * count + receiver] = newValue }
  }
}
