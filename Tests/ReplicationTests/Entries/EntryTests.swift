import Testing
import TestSupport

@testable import Replication

@Suite struct EntryTests {
  @Test(arguments: [
    Entry.Kind.genesis, .epoch, .commits, .part(index: 3, count: 7), .schema, .snapshotNeeded,
    .heartbeat,
  ])
  func `an entry of each kind is read as it was written`(kind: Entry.Kind) throws {
    let entry = sample(kind)
    let (bytes, hash) = entry.encoded()
    let (read, readHash) = try Entry.decode(bytes)
    #expect(read == entry)
    #expect(readHash == hash)
  }

  @Test func `an entry with any flipped bit is refused`() {
    let (bytes, _) = sample(.commits).encoded()
    for index in bytes.indices {
      for bit in 0..<8 {
        var flipped = bytes
        flipped[index] ^= 1 << UInt8(bit)
        #expect(throws: EntryError.self) { try Entry.decode(flipped) }
      }
    }
  }

  @Test func `an entry that is cut off anywhere is refused`() {
    let (bytes, _) = sample(.commits).encoded()
    for count in bytes.indices {
      #expect(throws: EntryError.self) { try Entry.decode(Array(bytes[..<count])) }
    }
    #expect(throws: EntryError.wrongChecksum) { try Entry.decode(bytes + [0]) }
  }

  @Test func `random content with a right checksum never traps`() {
    var random = SeededGenerator(seed: 7)
    let (bytes, _) = sample(.part(index: 1, count: 2)).encoded()
    for _ in 0..<5_000 {
      var content = Array(bytes.dropLast(32))
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        content[Int.random(in: 5..<content.count, using: &random)] = .random(
          in: 0...255,
          using: &random
        )
      }
      if Bool.random(using: &random) {
        content.removeLast(Int.random(in: 0..<(content.count - 5), using: &random))
      }
      let hostile = content + EntryHash(of: content).bytes
      if let (entry, _) = try? Entry.decode(hostile) {
        #expect(entry.encoded().bytes == hostile)
      }
    }
  }

  @Test func `an entry of a later format says so`() {
    var (bytes, _) = sample(.commits).encoded()
    bytes[4] = 9
    #expect(throws: EntryError.unknownFormat(9)) { try Entry.decode(bytes) }
  }

  private func sample(_ kind: Entry.Kind) -> Entry {
    Entry(
      database: DatabaseID(),
      epoch: 3,
      commit: 1 << 40,
      previous: EntryHash(of: [1, 2, 3]),
      fingerprint: [9, 8, 7],
      time: 1_700_000_000_000,
      kind: kind,
      body: Array(0..<60)
    )
  }
}

@Suite struct EntryBatchTests {
  @Test func `a batch is read as it was written`() throws {
    let batch = EntryBatch(transactions: [[], [1], Array(repeating: 5, count: 300)])
    #expect(try EntryBatch.decode(batch.encoded()) == batch)
  }

  @Test func `a batch with a count that lies is refused`() {
    #expect(throws: EntryError.self) { try EntryBatch.decode([255, 255, 255, 255, 0, 0, 0, 0]) }
    #expect(throws: EntryError.self) { try EntryBatch.decode([0, 0, 0, 0]) }
    #expect(throws: EntryError.self) { try EntryBatch.decode([0, 0, 0, 1, 0, 0, 0, 9, 1]) }
    #expect(throws: EntryError.self) { try EntryBatch.decode([0, 0, 0, 1, 0, 0, 0, 0, 1]) }
  }
}
