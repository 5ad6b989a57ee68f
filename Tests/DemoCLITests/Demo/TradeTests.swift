import Storage
import Testing
import TestSupport

@testable import DemoCLI

@Suite struct TradeTests {
  @Test func `a thousand trades include each kind, change something, and keep the shop valid`()
    throws
  {
    let directory = try TemporaryDirectory(prefix: "democli-tests")
    defer { directory.remove() }
    let path = directory.path + "/shop.sqlite"
    try Shop.create(at: path)
    let pool = try DatabasePool(path: path)
    defer { try? pool.close() }
    var random = SplitMix(state: 1)
    var kinds: Set<String> = []
    try pool.write { db in
      for _ in 0..<1000 {
        let before = try Shop.items(db)
        let trade = Trade.random(in: before, using: &random)
        try trade.perform(db)
        let after = try Shop.items(db)
        #expect(before != after, "\(trade) changed nothing")
        #expect((5...14).contains(after.count))
        #expect(after.allSatisfy { $0.stock >= 0 && $0.price > 0 })
        kinds.insert(String("\(trade)".prefix { $0 != "(" }))
      }
      let sold = try Int.fetchOne(db, sql: "SELECT count(*) FROM \"order\"")
      #expect(try #require(sold) > 0)
    }
    #expect(kinds.count == 6)
  }
}

/// A random number generator with the same numbers in every run.
/// https://prng.di.unimi.it/splitmix64.c
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
