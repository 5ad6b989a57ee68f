/// How a run of a live query ended.
struct FetchOutcome: Sendable {
  /// What the query has read; `nil` when it was not run, or when its value was patched.
  var region: DatabaseRegion?
  /// What the next patch must know; nothing if the value cannot be patched.
  var patchInputs = PatchInputs.none
  /// The bytes that are held for that.
  var patchMemory = 0
  /// Whether the last value was patched.
  var wasPatched = false
  /// Whether a closure made the value, and all of its fetches were patched.
  var hasPatches = false
  /// Whether nothing was run as a whole.
  var isPatch: Bool { wasPatched || hasPatches }
  /// Whether the snapshot had no commits but those up to its number.
  var isExact = true
  /// Whether there is something new to deliver.
  let mustDeliver: Bool
  let hasFailed: Bool
  /// The error to deliver.
  var error: (any Error)?
  /// How long the query took, in nanoseconds.
  var duration: UInt64 = 0
}
