/// The times of both sides, round by round.
struct Comparison {
  private var ours: [Double] = []
  private var baselines: [Double] = []
  private var ratios: [Double] = []

  /// Adds one round.
  mutating func add(ours: Duration, baseline: Duration) {
    self.ours.append(ours / .seconds(1))
    baselines.append(baseline / .seconds(1))
    ratios.append(ours / baseline)
  }

  /// The median of our times, in seconds.
  var ourTime: Double { ours.quantile(0.5) }

  /// The median of the baseline's times, in seconds.
  var baselineTime: Double { baselines.quantile(0.5) }

  /// The median of the ratios of the rounds. A disturbance affects both sides of a round, so this
  /// varies less than the ratio of the medians.
  var ratio: Double { ratios.quantile(0.5) }

  /// The quartiles of the ratios: half of the rounds lie between them.
  var quartiles: (lower: Double, upper: Double) {
    (ratios.quantile(0.25), ratios.quantile(0.75))
  }
}

extension [Double] {
  /// Returns the value below which the given share of the elements lies, interpolated between
  /// neighbours.
  ///
  /// - Precondition: The array is not empty.
  fileprivate func quantile(_ share: Double) -> Double {
    let sorted = sorted()
    let position = share * Double(count - 1)
    let index = Int(position)
    guard index + 1 < count else { return sorted[index] }
    let fraction = position - Double(index)
    return sorted[index] * (1 - fraction) + sorted[index + 1] * fraction
  }
}
