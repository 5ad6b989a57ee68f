/// One side of a benchmark: work that can be measured repeatedly.
struct Side {
  /// Runs the work once. Computing the checksum of the result is not measured.
  let measure: () throws -> (duration: Duration, checksum: Int)

  /// Creates a side whose work measures itself.
  init(measure: @escaping () throws -> (duration: Duration, checksum: Int)) {
    self.measure = measure
  }

  /// Creates a side that measures only `work`, not `setUp` before it or `checksum` after it.
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

  /// Creates a side that measures `work` and checks its result.
  init<Output: Checksummed>(work: @escaping () throws -> Output) {
    self.init(work: work, checksum: \.checksum)
  }
}
