/// Packets that are on their way, in the order of their arrival.
struct PacketQueue {
  /// A packet that arrives at some time.
  struct Packet {
    let time: UInt64
    let number: UInt64
    let sender: Int
    let receiver: Int
    let bytes: [UInt8]

    fileprivate func isBefore(_ other: Packet) -> Bool {
      (time, number) < (other.time, other.number)
    }
  }

  // A binary heap.
  private var packets: [Packet] = []
  private var count: UInt64 = 0

  /// When the next packet arrives.
  var nextTime: UInt64? { packets.first?.time }

  mutating func add(_ bytes: [UInt8], from sender: Int, to receiver: Int, at time: UInt64) {
    count += 1
    packets.append(
      Packet(time: time, number: count, sender: sender, receiver: receiver, bytes: bytes)
    )
    var index = packets.count - 1
    while index > 0, packets[index].isBefore(packets[(index - 1) / 2]) {
      packets.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// Removes the next packet if it has arrived.
  mutating func removeFirst(until time: UInt64) -> Packet? {
    guard let first = packets.first, first.time <= time else { return nil }
    packets.swapAt(0, packets.count - 1)
    packets.removeLast()
    var index = 0
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < packets.count && packets[child].isBefore(packets[least]) {
        least = child
      }
      guard least != index else { return first }
      packets.swapAt(index, least)
      index = least
    }
  }
}
