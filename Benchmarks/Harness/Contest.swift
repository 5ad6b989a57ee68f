/// The two sides of a benchmark.
struct Contest {
  /// The work done with this library.
  let ours: Side
  /// The same work done with SQLite's C functions, unless the title says otherwise.
  let baseline: Side

  /// Measures each side once.
  ///
  /// - Throws: ``ChecksumMismatch`` when the sides did not come to the same result.
  func round(oursFirst: Bool) throws -> (ours: Duration, baseline: Duration) {
    let first = try (oursFirst ? ours : baseline).measure()
    let second = try (oursFirst ? baseline : ours).measure()
    let (ours, baseline) = oursFirst ? (first, second) : (second, first)
    guard ours.checksum == baseline.checksum else {
      throw ChecksumMismatch(ours: ours.checksum, baseline: baseline.checksum)
    }
    return (ours.duration, baseline.duration)
  }
}

/// Work that can be measured again and again.
struct Side {
  /// Runs the work once. The checksum says what came out of it, and is not measured.
  let measure: () throws -> (duration: Duration, checksum: Int)

  /// Makes a side of work that measures itself.
  init(measure: @escaping () throws -> (duration: Duration, checksum: Int)) {
    self.measure = measure
  }

  /// Makes a side that measures `work`. What runs before, and what makes the checksum of the work's
  /// result afterwards, is not measured.
  init<Output>(
    setUp: @escaping () throws -> Void = {},
    work: @escaping () throws -> Output,
    checksum: @escaping (Output) throws -> Int
  ) {
    measure = {
      try setUp()
      let stopwatch = Stopwatch()
      let output = try work()
      let duration = stopwatch.duration
      return (duration, try checksum(output))
    }
  }

  /// Makes a side that measures `work`, and checks what it returns.
  init<Output: Checksummed>(work: @escaping () throws -> Output) {
    self.init(work: work, checksum: \.checksum)
  }
}

/// Thrown when both sides did not do the same work, so that their times do not compare.
struct ChecksumMismatch: Error, CustomStringConvertible {
  let ours: Int
  let baseline: Int

  var description: String {
    "both sides came to different results (checksums \(ours) and \(baseline)): no figure"
  }
}
