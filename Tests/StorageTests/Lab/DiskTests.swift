import Testing
import TestSupport

@Suite struct DiskTests {
  private func files(_ disk: Disk, _ survival: Disk.Survival) -> [String: [UInt8]] {
    var generator = SeededGenerator(seed: 1)
    return disk.files(surviving: survival, &generator)
  }

  @Test func `synced bytes survive, and others may`() {
    var disk = Disk()
    disk.add("a", [1, 2, 3])
    disk.write("a", at: 1, [9])
    #expect(files(disk, .nothing) == ["a": [1, 2, 3]])
    #expect(files(disk, .everything) == ["a": [1, 9, 3]])
    disk.sync("a")
    disk.write("a", at: 4, [7])
    disk.truncate("a", to: 1)
    #expect(files(disk, .nothing) == ["a": [1, 9, 3]])
    #expect(files(disk, .everything) == ["a": [1]])
  }

  @Test func `a new file survives when it was synced`() {
    var disk = Disk()
    disk.create("journal")
    disk.write("journal", at: 0, [1])
    #expect(files(disk, .nothing) == [:])
    #expect(files(disk, .everything) == ["journal": [1]])
    disk.sync("journal")
    #expect(files(disk, .nothing) == ["journal": [1]])
  }

  @Test func `a deleted file may be back until the deletion is synced`() {
    var disk = Disk()
    disk.add("journal", [1])
    disk.delete("journal", syncsName: false)
    #expect(files(disk, .nothing) == ["journal": [1]])
    #expect(files(disk, .everything) == [:])
    disk.create("other")
    disk.sync("other")
    #expect(files(disk, .nothing) == ["other": []])
    disk.delete("other", syncsName: true)
    #expect(files(disk, .nothing) == [:])
  }

  @Test func `a deleted file may take the place of its successor`() {
    var disk = Disk()
    disk.add("wal", [1])
    disk.delete("wal", syncsName: false)
    disk.create("wal")
    disk.write("wal", at: 0, [2])
    #expect(files(disk, .nothing) == ["wal": [1]])
    #expect(files(disk, .everything) == ["wal": [2]])
    disk.sync("wal")
    #expect(files(disk, .nothing) == ["wal": [2]])
  }

  @Test func `operations are records in a log that several processes can write`() throws {
    let directory = TemporaryDirectory()
    let operations: [DiskOperation] = [
      .create(path: "a"), .write(path: "a", offset: 70_000, bytes: [0, 10, 255]),
      .truncate(path: "ä", size: 4096), .sync(path: "a"), .delete(path: "a", syncsName: true),
      .delete(path: "", syncsName: false), .attempt(number: 1001), .acknowledge(number: 1001),
    ]
    let path = directory.file("log")
    for operation in operations { try DiskLog(path: path).append(operation) }
    #expect(try DiskLog.operations(path: path) == operations)
  }

  @Test func `a write can be torn between sectors`() {
    let old = [UInt8](repeating: 0, count: 4 * Disk.sector)
    let new = [UInt8](repeating: 1, count: 4 * Disk.sector)
    var disk = Disk()
    disk.add("a", old)
    disk.write("a", at: 0, new)
    var results: Set<[UInt8]> = []
    for seed in 0..<200 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let bytes = disk.files(surviving: .anything, &generator)["a"]!
      results.insert(stride(from: 0, to: bytes.count, by: Disk.sector).map { bytes[$0] })
      #expect(
        stride(from: 0, to: bytes.count, by: Disk.sector).allSatisfy { start in
          Set(bytes[start..<start + Disk.sector]).count == 1
        }
      )
    }
    #expect(results.count == 16)
  }
}
