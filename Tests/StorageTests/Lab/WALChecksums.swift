/// The checksums of a write-ahead log. https://www.sqlite.org/fileformat2.html#walformat
enum WALChecksums {
  /// Makes the checksums and salts of all frames fit the content of the log.
  static func repair(_ log: inout [UInt8]) {
    guard log.count >= 32 else { return }
    let isBigEndian = log[3] & 1 == 1
    let pageSize = Int(number(log, 8))
    guard pageSize >= 512, pageSize <= 65536 else { return }
    var sums: (UInt32, UInt32) = (0, 0)
    add(log[0..<24], &sums, isBigEndian)
    store(sums, in: &log, at: 24)
    var frame = 32
    while frame + 24 + pageSize <= log.count {
      for index in 0..<8 { log[frame + 8 + index] = log[16 + index] }
      add(log[frame..<frame + 8], &sums, isBigEndian)
      add(log[frame + 24..<frame + 24 + pageSize], &sums, isBigEndian)
      store(sums, in: &log, at: frame + 16)
      frame += 24 + pageSize
    }
  }

  private static func add(
    _ bytes: ArraySlice<UInt8>,
    _ sums: inout (UInt32, UInt32),
    _ isBigEndian: Bool
  ) {
    for offset in stride(from: bytes.startIndex, to: bytes.endIndex, by: 8) {
      sums.0 &+= word(bytes, offset, isBigEndian) &+ sums.1
      sums.1 &+= word(bytes, offset + 4, isBigEndian) &+ sums.0
    }
  }

  private static func word(_ bytes: ArraySlice<UInt8>, _ offset: Int, _ big: Bool) -> UInt32 {
    var result: UInt32 = 0
    for index in 0..<4 {
      result |= UInt32(bytes[offset + index]) << UInt32(big ? 24 - 8 * index : 8 * index)
    }
    return result
  }

  private static func number(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    word(bytes[...], offset, true)
  }

  private static func store(_ sums: (UInt32, UInt32), in log: inout [UInt8], at offset: Int) {
    for index in 0..<4 {
      log[offset + index] = UInt8(truncatingIfNeeded: sums.0 >> UInt32(24 - 8 * index))
      log[offset + 4 + index] = UInt8(truncatingIfNeeded: sums.1 >> UInt32(24 - 8 * index))
    }
  }
}
