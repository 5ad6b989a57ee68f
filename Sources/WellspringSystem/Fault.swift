#if WELLSPRING_FAULTS
  internal import Glibc
#endif

/// A defect that the tests must notice when it is switched on.
///
/// The defects are compiled in if the package is built with `WELLSPRING_FAULTS` in the environment.
/// Then the environment variable `WELLSPRING_FAULT` of a process names the defect that is on. In
/// all other builds, no defect exists: ``isOn(_:)`` is the constant `false`.
///
/// `make faults` and `make lab-faults` switch on one after the other: see `Scripts/faults.sh`.
package enum Fault: String, CaseIterable {
  // Changes: the reports of the hooks.
  case blob
  case keyChange = "key-change"
  case noHook = "no-hook"
  case nullDefault = "null-default"
  case rowCap = "row-cap"
  case savepointIgnored = "savepoint-ignored"
  case savepointOuter = "savepoint-outer"
  case schema
  case virtualColumns = "virtual-columns"

  // Regions: the parts that a query reads.
  case loadedColumns = "loaded-columns"
  case namesake
  case noExplain = "no-explain"

  // Commits, snapshots and delivery.
  case external
  case gap
  case outOfOrder = "out-of-order"
  case ownIsExternal = "own-is-external"
  case snapshot
  case whileRunning = "while-running"

  // Values: the values that a query compares with the columns of a row.
  case valueAffinity = "value-affinity"
  case valueAfter = "value-after"
  case valueBefore = "value-before"
  case valueBound = "value-bound"
  case valueClosure = "value-closure"
  case valueCollation = "value-collation"
  case valueDefault = "value-default"
  case valueDescending = "value-descending"
  case valueIndex = "value-index"
  case valueInterval = "value-interval"
  case valueLimit = "value-limit"
  case valueList = "value-list"
  case valueListNull = "value-list-null"
  case valueNull = "value-null"
  case valueRange = "value-range"
  case valueRounded = "value-rounded"
  case valueRowID = "value-row-id"
  case valueRows = "value-rows"

  // The pages that foreign commits change.
  case pageBackfill = "page-backfill"
  case pageChain = "page-chain"
  case pageEnd = "page-end"
  case pageEqual = "page-equal"
  case pageHeader = "page-header"
  case pageLeaf = "page-leaf"
  case pageOverflow = "page-overflow"
  case pageOwn = "page-own"
  case pageRemoved = "page-removed"
  case pageRestart = "page-restart"
  case pageRow = "page-row"
  case pageValues = "page-values"

  // Patched results.
  case patchChain = "patch-chain"
  /// A patched `UNION ALL` puts the rows of a query at their former place, although rows of the
  /// queries before it came or went.
  case patchCompound = "patch-compound"
  case patchCount = "patch-count"
  case patchDistinct = "patch-distinct"
  case patchEnd = "patch-end"
  case patchEqual = "patch-equal"
  case patchExists = "patch-exists"
  case patchExpansion = "patch-expansion"
  case patchExtreme = "patch-extreme"
  case patchForeign = "patch-foreign"
  case patchGroup = "patch-group"
  case patchGroupEnd = "patch-group-end"
  case patchGroupNew = "patch-group-new"
  case patchGroupTie = "patch-group-tie"
  case patchGrowth = "patch-growth"
  case patchHaving = "patch-having"
  /// A value is patched that was fetched together with commits which were not announced yet.
  case patchInexact = "patch-inexact"
  case patchJoined = "patch-joined"
  case patchKeyCollation = "patch-key-collation"
  case patchKeyMoved = "patch-key-moved"
  case patchKeyOrder = "patch-key-order"
  case patchLink = "patch-link"
  case patchLoops = "patch-loops"
  case patchLostRow = "patch-lost-row"
  case patchNull = "patch-null"
  case patchOptional = "patch-optional"
  case patchOtherTable = "patch-other-table"
  case patchPartner = "patch-partner"
  /// The rows that are joined with a changed row of a table without row ids are not known.
  case patchPartnerKey = "patch-partner-key"
  case patchPlace = "patch-place"
  /// A table that is joined with itself is read in the order of its first reference.
  case patchSelfJoin = "patch-self-join"
  case patchShortWindow = "patch-short-window"
  case patchSkipped = "patch-skipped"
  case patchSlow = "patch-slow"
  case patchTie = "patch-tie"
  case patchUnannounced = "patch-unannounced"
  case patchUnknown = "patch-unknown"
  case patchWhileRunning = "patch-while-running"

  // The file system and the clock: faults that the lab has found.
  case before1970 = "before-1970"
  case futureJournal = "future-journal"
  case inotifyOnce = "inotify-once"
  case unsyncedDeletion = "unsynced-deletion"

  #if WELLSPRING_FAULTS
    private static let active = getenv("WELLSPRING_FAULT").flatMap {
      Fault(rawValue: String(cString: $0))
    }

    /// Whether the fault is on.
    package static func isOn(_ fault: Fault) -> Bool { fault == active }
  #else
    /// Whether the fault is on.
    @inlinable @inline(__always)
    package static func isOn(_ fault: Fault) -> Bool { false }
  #endif
}
