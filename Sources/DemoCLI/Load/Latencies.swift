/// Times that were measured, in nanoseconds.
struct Latencies {
  /// The times from the shortest to the longest.
  let sorted: [Int64]

  init(_ times: [Int64]) { sorted = times.sorted() }

  /// Returns the time that `share` of all times do not exceed; `nil` without times.
  func percentile(_ share: Double) -> Int64? {
    guard !sorted.isEmpty else { return nil }
    let rank = (share * Double(sorted.count)).rounded(.up)
    return sorted[min(sorted.count - 1, max(0, Int(rank) - 1))]
  }

  /// A bar of a histogram.
  struct Bucket: Equatable {
    /// The times of the bucket: up to and without the bound, and at least half of it.
    let bound: Int64
    let count: Int
  }

  /// The counts by powers of two of a microsecond, from the first to the last that is not empty.
  var histogram: [Bucket] {
    var counts: [Int64: Int] = [:]
    for time in sorted {
      var bound: Int64 = 1_000
      while bound <= time { bound *= 2 }
      counts[bound, default: 0] += 1
    }
    guard let first = counts.keys.min(), let last = counts.keys.max() else { return [] }
    var buckets: [Bucket] = []
    var bound = first
    while bound <= last {
      buckets.append(Bucket(bound: bound, count: counts[bound] ?? 0))
      bound *= 2
    }
    return buckets
  }

  /// Returns a time as text of at most three digits, such as `1.25 ms`.
  static func text(_ nanoseconds: Int64) -> String {
    let microseconds = Double(nanoseconds) / 1_000
    if microseconds < 1_000 { return "\(digits(microseconds)) µs" }
    if microseconds < 1_000_000 { return "\(digits(microseconds / 1_000)) ms" }
    return "\(digits(microseconds / 1_000_000)) s"
  }

  private static func digits(_ number: Double) -> String {
    let places = number < 10 ? 2 : number < 100 ? 1 : 0
    let scale = [1.0, 10, 100][places]
    let rounded = Int((number * scale).rounded())
    guard places > 0 else { return "\(rounded)" }
    let fraction = "\(rounded % Int(scale))"
    let zeros = String(repeating: "0", count: places - fraction.count)
    return "\(rounded / Int(scale)).\(zeros)\(fraction)"
  }
}
