import Storage

extension ObservationStatistics {
  /// How often queries have run after the first time, as a whole or by patching their values: on a
  /// busy machine, any query can be slow enough for patches.
  var runs: Int { refetches + patches }
}
