import Foundation
import WellspringSystem

/// Carries the packets between the hosts of a network, on a thread of its own, as the rules say.
///
/// The kernel of a sandbox may have neither a packet filter nor `netem`. This needs only
/// `/dev/net/tun`, and a rule is in force at once.
final class PacketSwitch: Sendable {
  private let devices: [TunnelDevice]
  // Guards the rules, and how many bytes each host has got.
  private let state: Lock<(rules: LinkRules, received: [Int])>
  private let isStopped = Lock(false)

  /// Begins to carry packets between devices, whose addresses end with 1, 2, and so on.
  init(_ devices: [TunnelDevice], seed: UInt64) {
    self.devices = devices
    state = Lock((LinkRules(count: devices.count), Array(repeating: 0, count: devices.count)))
    let thread = Thread { [self] in
      var carrier = PacketCarrier(devices, seed: seed)
      while !isStopped.withLock({ $0 }) {
        carrier.wait()
        // One copy for a batch of packets, so that the lock is held for a moment.
        let rules = state.withLock { $0.rules }
        let received = carrier.carry(rules)
        state.withLock { state in
          for (index, bytes) in received.enumerated() { state.received[index] += bytes }
        }
      }
      for device in devices { close(device.descriptor) }
    }
    thread.start()
  }

  /// Ends the thread and the devices soon.
  func stop() { isStopped.withLock { $0 = true } }

  /// Changes the rules. They are in force for packets that are on their way, too.
  func change(_ body: (inout LinkRules) -> Void) { state.withLock { body(&$0.rules) } }

  /// How many bytes of packets a host has got.
  func receivedBytes(_ index: Int) -> Int { state.withLock { $0.received[index] } }
}

/// The state that only the thread of a switch uses.
private struct PacketCarrier {
  private let devices: [TunnelDevice]
  private var polls: [pollfd]
  private var queue = PacketQueue()
  private var generator: SplitMix
  // Until when each link is busy, as a sender and as a receiver.
  private var sendingUntil: [UInt64]
  private var receivingUntil: [UInt64]
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)
  /// A router drops a packet that would wait for longer.
  private static let longestWait: UInt64 = 250_000_000

  init(_ devices: [TunnelDevice], seed: UInt64) {
    self.devices = devices
    polls = devices.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    generator = SplitMix(seed: seed)
    sendingUntil = Array(repeating: 0, count: devices.count)
    receivingUntil = sendingUntil
  }

  /// Waits for a packet, or until one arrives, for 50 ms at most.
  mutating func wait() {
    let now = MonotonicClock.now
    let next = queue.nextTime.map { $0 > now ? $0 - now : 0 } ?? 50_000_000
    // A packet may be late by a millisecond. The times of later packets do not change.
    _ = poll(&polls, nfds_t(polls.count), Int32((min(next, 50_000_000) + 999_999) / 1_000_000))
  }

  /// Carries the waiting packets, and returns how many bytes each host has got.
  mutating func carry(_ rules: LinkRules) -> [Int] {
    var received = Array(repeating: 0, count: devices.count)
    for sender in devices.indices where polls[sender].revents != 0 {
      for _ in 0..<64 {
        guard let count = devices[sender].read(into: buffer) else { break }
        let packet = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        // IPv4, whose destination ends with the number of the host.
        guard count >= 20, packet[0] >> 4 == 4, packet[16] == 10, packet[17] == 77 else { continue }
        let receiver = Int(packet[19]) - 1
        guard devices.indices.contains(receiver), receiver != sender,
          let time = arrival(of: count, sender, receiver, rules)
        else { continue }
        if isDoubled(rules[from: sender, to: receiver]) {
          let later = max(time, MonotonicClock.now) + .random(in: 0...5_000_000, using: &generator)
          queue.add(Array(packet), from: sender, to: receiver, at: later)
        }
        if time == 0 {
          devices[receiver].write(packet)
          received[receiver] += count
        } else {
          queue.add(Array(packet), from: sender, to: receiver, at: time)
        }
      }
    }
    let now = MonotonicClock.now
    while let packet = queue.removeFirst(until: now) {
      guard !rules[from: packet.sender, to: packet.receiver].isCut else { continue }
      packet.bytes.withUnsafeBytes { devices[packet.receiver].write($0) }
      received[packet.receiver] += packet.bytes.count
    }
    return received
  }

  private mutating func isDoubled(_ rule: PairRule) -> Bool {
    rule.duplication > 0 && Double.random(in: 0..<1, using: &generator) < rule.duplication
  }

  /// Returns when a packet arrives: zero for now, `nil` for never.
  private mutating func arrival(
    of count: Int,
    _ sender: Int,
    _ receiver: Int,
    _ rules: LinkRules
  ) -> UInt64? {
    let rule = rules[from: sender, to: receiver]
    guard !rule.isCut else { return nil }
    if rule.loss > 0, Double.random(in: 0..<1, using: &generator) < rule.loss { return nil }
    let rates = (rules.rates[sender], rules.rates[receiver])
    guard rule.delay > .zero || rule.jitter > .zero || rates.0 != nil || rates.1 != nil else {
      return 0
    }
    let now = MonotonicClock.now
    guard var time = Self.pass(&sendingUntil[sender], rates.0, count, now) else { return nil }
    time += Self.nanoseconds(rule.delay)
    if rule.jitter > .zero {
      time += UInt64.random(in: 0...Self.nanoseconds(rule.jitter), using: &generator)
    }
    return Self.pass(&receivingUntil[receiver], rates.1, count, time)
  }

  /// Returns when a packet has passed a link that other packets are using; `nil` if it finds no
  /// room.
  private static func pass(
    _ busyUntil: inout UInt64,
    _ rate: Double?,
    _ count: Int,
    _ time: UInt64
  ) -> UInt64? {
    guard let rate else { return time }
    let start = max(busyUntil, time)
    guard start - time <= longestWait else { return nil }
    busyUntil = start + UInt64(Double(count) * 1_000_000_000 / rate)
    return busyUntil
  }

  private static func nanoseconds(_ duration: Duration) -> UInt64 {
    UInt64(max(0, duration / .nanoseconds(1)))
  }
}
