public import Dispatch

/// How a ``DatabasePool`` or a ``DatabaseQueue`` opens and uses its connections.
///
///     var configuration = Configuration()
///     configuration.maximumReaderCount = 8
///     configuration.prepareDatabase { db in
///       try db.execute(sql: "PRAGMA cache_size = -16000")
///     }
///     let pool = try DatabasePool(path: "/var/lib/shop/shop.sqlite", configuration: configuration)
public struct Configuration: Sendable {
  /// The journal mode that a file gets when it is opened for writing.
  public enum JournalMode: Sendable {
    /// WAL for a pool. For a queue, the mode that the file already has, or SQLite's default.
    case `default`
    /// A write-ahead log: readers and the writer do not wait for each other.
    case wal
  }

  /// A name for debugging. The labels of the dispatch queues begin with it.
  public var label: String?

  /// Whether the file is only watched. It is then never written, its journal mode stays unchanged,
  /// and no lock is held on it between accesses. Statements that write fail with `SQLITE_READONLY`,
  /// and accesses of writes, such as ``DatabaseQueue/inTransaction(_:_:)``, may only read.
  public var readonly = false

  /// Whether foreign keys are enforced. The default is `true`.
  public var foreignKeysEnabled = true

  /// How a connection waits for a lock that another connection holds. The default is a timeout of
  /// five seconds.
  public var busyMode = BusyMode.timeout(5)

  /// The journal mode of the file.
  public var journalMode = JournalMode.default

  /// How thoroughly a commit is synced to disk. The default is ``Synchronous/full``.
  public var synchronous = Synchronous.full

  /// How many readers of a pool may run concurrently, at least one. The default is five.
  public var maximumReaderCount = 5

  /// Whether a pool's readers stay open when memory is released. The default is `false`.
  public var persistentReadOnlyConnections = false

  /// The number of pages after which the WAL of a pool counts as too long. The default is 16,384,
  /// which is 64 MB with SQLite's usual page size.
  ///
  /// SQLite can restart a WAL from its beginning only while no reader uses it. Under overlapping
  /// reads, that moment never comes on its own. So when the WAL passes this limit, all pools of
  /// this process on the file hold back new reads until the running reads have ended, for half a
  /// second at most, and the WAL is emptied. ``Database/logError`` reports the readers that prevent
  /// this, with the code `SQLITE_WARNING`.
  public var maximumWALPageCount = 16_384

  /// The quality of service of the threads that run asynchronous accesses.
  public var qos = DispatchQoS.unspecified

  /// The target of the connections' dispatch queues. Asynchronous accesses run on these queues.
  /// With a serial queue, they run one at a time.
  ///
  /// Synchronous accesses run on the calling thread, and not on this queue: they would otherwise
  /// wait for a queue that waits for their connection.
  public var targetQueue: DispatchQueue?

  /// The target of the dispatch queue of the connection that writes; `nil` means ``targetQueue``.
  public var writeTargetQueue: DispatchQueue?

  /// Whether a transaction may outlive the `writeWithoutTransaction` closure that began it. The
  /// default is `false`: such a transaction is rolled back, and the access fails.
  public var allowsUnsafeTransactions = false

  /// The share of one core that observed queries may use after their first values: with 0.2, each
  /// run is followed by a pause of four times its duration. During the pause, touched queries wait.
  /// The query that has waited longest runs first. `nil`, the default, sets no limit.
  ///
  /// All queries of a pool share it. The values that come later are the newest ones; none is lost.
  /// `quiesce()`, `load()`, `refresh` and first values wait for no pause.
  /// ``ObservationStatistics/waiting`` and ``ObservationStatistics/runTime`` show its effects.
  ///
  /// Opening a database throws ``DatabaseError`` with the code `SQLITE_MISUSE` if it is not above 0
  /// and at most 1.
  public var observationShare: Double?

  /// The clock that provides ``Database/transactionDate``.
  public var transactionClock: any TransactionClock = DefaultTransactionClock()

  /// A query that takes less time than this, in nanoseconds, is not patched when it is observed: it
  /// is quicker to run it. With 0, the first result is kept for a patch, where that is possible.
  package var patchingThreshold: UInt64 = 1_000_000

  /// How many prepared statements a connection keeps for reuse. The default is 100.
  public var statementCacheCapacity = 100

  /// Whether errors show the arguments of the statement. The default is `false`, because arguments
  /// may hold personal data.
  public var publicStatementArguments = false

  /// Whether `"text"` that names no column is a string, as in SQLite's early days. The default is
  /// `false`, so that a mistyped column is an error.
  public var acceptsDoubleQuotedStringLiterals = false

  /// The instruments that record the activities of the database, for logs, metrics and traces. By
  /// default there are none, which costs nothing.
  public var instruments: [any DatabaseInstrument] = []

  /// How long a statement may take before ``instruments`` record it as slow, with its plan. The
  /// default is 100 milliseconds. With zero, every statement is recorded.
  public var slowStatementThreshold = Duration.milliseconds(100)

  /// Names the primary keys of views. The default is `nil`.
  public var schemaSource: (any DatabaseSchemaSource)?

  /// How long a statement may run before it fails with `SQLITE_INTERRUPT`. The default is `nil`: as
  /// long as it needs.
  ///
  /// The time begins with the first step and ends with the last one. It includes waits for locks,
  /// and the work of a loop between two rows. While a cursor is open, the statements that its loop
  /// runs share its time. A commit that has begun to write to the disk, a backup and a checkpoint
  /// are not interrupted.
  ///
  ///     configuration.statementTimeout = .seconds(30)
  public var statementTimeout: Duration?

  /// The largest values, statements and results that SQLite accepts. The default limits are those
  /// that SQLite was built with.
  public var limits = Limits()

  /// Whether the file comes from a source that may run code in this process. The default is `true`.
  ///
  /// Without trust, SQLite checks the structure of the pages that it reads, maps no file into
  /// memory, and refuses statements that can damage the file on purpose. Views, triggers, indexes
  /// and default values of the file call only functions that are marked as harmless. After the
  /// closures of ``prepareDatabase(_:)``, no statement attaches a database. If ``readonly`` is set,
  /// only reads compile: writes fail with `SQLITE_READONLY`, and other refused statements with
  /// `SQLITE_AUTH`.
  ///
  /// ``untrusted`` also sets limits.
  public var trustsFile = true

  private(set) var setups: [@Sendable (Database) throws -> Void] = []

  /// Creates the default configuration.
  public init() {}

  /// Adds a closure that runs on every connection as soon as it is open, including the readers of a
  /// pool, which cannot write.
  ///
  /// An error that the closure throws makes the opening fail, or the read that needs a new reader.
  ///
  ///     configuration.prepareDatabase { db in
  ///       try db.attach("/var/lib/shop/archive.sqlite", as: "archive")
  ///       db.trace { print($0) }
  ///     }
  public mutating func prepareDatabase(_ setup: @escaping @Sendable (Database) throws -> Void) {
    setups.append(setup)
  }

  /// The default configuration for another file, with the functions and collations that the
  /// closures of ``prepareDatabase(_:)`` add.
  package var forCopies: Configuration {
    var configuration = Configuration()
    configuration.setups = setups
    return configuration
  }
}

extension Configuration {
  /// How thoroughly a commit is synced to disk.
  /// https://www.sqlite.org/pragma.html#pragma_synchronous
  public enum Synchronous: String, Sendable {
    /// Like `full`; the directory is synced too, after a rollback journal is deleted.
    case extra = "EXTRA"
    /// An acknowledged commit survives a power cut. A connection that opens a file without a WAL
    /// uses SQLite's `EXTRA` for this, because `FULL` does not sync the deletion of the journal.
    case full = "FULL"
    /// Faster than `full`. In WAL mode, a power cut may undo the last commits, but never corrupts
    /// the file.
    case normal = "NORMAL"
    /// A power cut may corrupt the file.
    case off = "OFF"
  }
}

extension Database {
  /// The purpose of a connection.
  enum Role {
    /// Reads and writes.
    case writer
    /// Reads, concurrently with the writer of the same pool.
    case reader
    /// Reads a file that is only watched.
    case watcher
    /// Reads a file that is only watched, and takes no locks: see ``WatchingReader``.
    case unlockedWatcher
    /// Reads a file that is only watched and was left in WAL mode without a WAL. It takes no locks,
    /// and is for one read, because it treats the file as one that never changes.
    case restingWatcher
    /// Reads a file that is only watched and has a WAL, and never makes one: see
    /// ``ExistingLogVFS``.
    case passiveWatcher
    /// Reads in one transaction, which lasts as long as the connection.
    case snapshot
  }
}
