/// A run of a live query, without its value.
struct QueryRun: Sendable {
  /// The region of the query; `nil` when it was not run, or when its value was patched.
  var region: DatabaseRegion?
  /// The SQL of its statements.
  var statements: [String] = []
  /// Whether the snapshot had no commits but those up to its number.
  var isExact = true
  /// Whether the query failed with an error that ends the transaction, such as a full disk.
  var endedSnapshot = false
  /// How long the query took, in nanoseconds.
  var duration: UInt64 = 0
  /// The data of each commit that the next patch needs; empty if the value cannot be patched.
  var inputs = PatchInputs.none
  /// Whether the last value was patched.
  var wasPatched = false
  /// Whether a closure made the value, and all of its fetches were patched.
  var hasPatches = false

  /// Whether nothing was run as a whole.
  var isPatch: Bool { wasPatched || hasPatches }

  /// Notes how the value came about.
  mutating func noteFetch<Value>(_ fetched: PatchedFetch<Value>) {
    inputs = fetched.inputs
    wasPatched = fetched.isUnchanged != nil
    hasPatches = fetched.hasPatches
    // A patched value depends on the former region of the query.
    if wasPatched { region = nil }
  }
}

/// How a query has accepted a run.
struct Delivery: Sendable {
  let run: QueryRun
  /// Whether there is something new to deliver.
  let mustDeliver: Bool
  let hasFailed: Bool
  /// The error to deliver.
  var error: (any Error)?
  /// The bytes that are held for the next patch.
  var patchMemory = 0
}
