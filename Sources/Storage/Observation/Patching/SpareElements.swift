internal import WellspringPlatform

/// The array before the current one of a large result, which is one patch behind.
///
/// Subscribers hold the current array, so a patch would copy it: for a million elements, that takes
/// longer than all else. By the time of the next patch they have let go of the array before, which
/// is patched twice instead, in place. If they have not, it is copied as any array is.
///
/// The copies of a result share one object, which a run uses that has taken the result.
final class SpareElements<Element>: @unchecked Sendable {
  // Safe to share: only the run that has taken the result uses it.

  /// An array of a result.
  final class Version: Sendable {}

  /// The largest size of an array that is kept, in bytes.
  private static var limit: Int { 1 << 28 }
  /// The time of a copy from which on an array is kept, in nanoseconds.
  private let threshold: UInt64

  private struct Spare {
    var elements: [Element]
    /// What makes it the current array.
    let patch: RowPatch
    let rows: [Element]
    /// The array that it becomes.
    let version: Version
  }

  private var spare: Spare?

  /// - Parameter threshold: The time of a copy from which on an array is kept, in nanoseconds.
  init(threshold: UInt64 = 1_000_000) {
    self.threshold = threshold
  }

  /// Whether an array is kept.
  var isKept: Bool { spare != nil }

  /// Patches the current array.
  ///
  /// - Parameters:
  ///   - patch: The patch.
  ///   - rows: The rows that were fetched.
  ///   - elements: The array.
  ///   - version: Tells the array from others.
  func apply(
    _ patch: RowPatch,
    _ rows: [Element],
    to elements: inout [Element],
    _ version: inout Version
  ) {
    guard !patch.isEmpty || patch.count != elements.count else { return }
    let old = elements
    let start = MonotonicClock.now
    let wasKept = replaceBySpare(&elements, version)
    patch.apply(to: &elements, rows)
    let isSlow = wasKept || MonotonicClock.now - start >= threshold
    version = Version()
    if isSlow, old.count * MemoryLayout<Element>.stride <= Self.limit {
      spare = Spare(elements: old, patch: patch, rows: rows, version: version)
    }
  }

  /// Replaces the current array by an equal one without other references.
  private func replaceBySpare(_ elements: inout [Element], _ version: Version) -> Bool {
    guard var taken = spare else { return false }
    spare = nil
    guard taken.version === version else { return false }
    elements = []
    swap(&elements, &taken.elements)
    taken.patch.apply(to: &elements, taken.rows)
    return true
  }
}
