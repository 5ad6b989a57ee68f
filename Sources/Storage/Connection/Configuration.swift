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
  /// How a connection waits for a lock that another one holds.
  public enum BusyMode: Sendable {
    /// Fails at once with `SQLITE_BUSY`.
    case immediateError
    /// Retries for so many seconds, then fails with `SQLITE_BUSY`.
    case timeout(Double)
    /// Asks with the number of tries so far: `true` retries, `false` fails with `SQLITE_BUSY`.
    /// The closure runs on the thread of the access, and decides how long to sleep.
    case callback(@Sendable (_ numberOfTries: Int) -> Bool)
  }

  /// The journal of a file that is opened for writing.
  public enum JournalMode: Sendable {
    /// WAL for a pool; for a queue what the file already has, or SQLite's default.
    case `default`
    /// A write-ahead log: readers and a writer do not wait for each other.
    case wal
  }

  /// How hard a commit is pressed to the disk. https://www.sqlite.org/pragma.html#pragma_synchronous
  public enum Synchronous: String, Sendable {
    /// As `full`, and the directory is synced too after a rollback journal is removed.
    case extra = "EXTRA"
    /// A commit that was acknowledged survives a power cut.
    case full = "FULL"
    /// In WAL mode a power cut may undo the last commits, but never corrupts the file. Faster.
    case normal = "NORMAL"
    /// A power cut may corrupt the file.
    case off = "OFF"
  }

  /// A name for debugging: it begins the labels of the dispatch queues.
  public var label: String?

  /// Whether the file is only watched: it is never written, its journal mode is left alone, and
  /// no lock is held on it between accesses. Writes fail with `SQLITE_READONLY`.
  public var readonly = false

  /// Whether foreign keys are enforced. `true` unless changed.
  public var foreignKeysEnabled = true

  /// How a connection waits for a lock that another one holds: five seconds unless changed.
  public var busyMode = BusyMode.timeout(5)

  /// The journal of the file.
  public var journalMode = JournalMode.default

  /// How hard a commit is pressed to the disk: ``Synchronous/full`` unless changed.
  public var synchronous = Synchronous.full

  /// How many readers of a pool may run at once: five unless changed. At least one.
  public var maximumReaderCount = 5

  /// Whether a pool's readers stay open when memory is released. `false` unless changed.
  public var persistentReadOnlyConnections = false

  /// After how many pages the WAL of a pool counts as too long: 16,384 unless changed, which are 64 MB
  /// with SQLite's usual pages.
  ///
  /// A WAL can only start from its beginning again when nobody reads in it. Where one read follows
  /// another, that moment never comes by itself. So when the WAL passes this limit, new reads of all
  /// pools of the process on the file wait until those that run have ended, for half a second at most,
  /// and the WAL is emptied. What stands in the way is named in ``Database/logError``, with the code
  /// `SQLITE_WARNING`.
  public var maximumWALPageCount = 16_384

  /// The quality of service of the threads that run the accesses of async code.
  public var qos = DispatchQoS.unspecified

  /// The dispatch queue that the queues of the connections have as their target. A serial one makes
  /// the accesses of async code run one at a time.
  public var targetQueue: DispatchQueue?

  /// Whether a transaction may outlive the `writeWithoutTransaction` closure that began it. `false`
  /// unless changed: such a transaction is rolled back, and the access fails.
  public var allowsUnsafeTransactions = false

  /// What ``Database/transactionDate`` is.
  public var transactionClock: any TransactionClock = DefaultTransactionClock()

  /// How many prepared statements a connection keeps for reuse: 100 unless changed.
  public var statementCacheCapacity = 100

  /// Whether errors show the arguments of the statement. They may hold personal data: `false`
  /// unless changed.
  public var publicStatementArguments = false

  /// Whether `"text"` that names no column is a string, as in SQLite's early days. `false` unless
  /// changed, so that a mistyped column is an error.
  public var acceptsDoubleQuotedStringLiterals = false

  private(set) var setups: [@Sendable (Database) throws -> Void] = []

  /// Makes the default configuration.
  public init() {}

  /// Adds a closure that runs on every connection, as soon as it is open: on each reader of a pool
  /// too, which cannot write.
  ///
  /// An error that it throws fails the opening, or the read that needs a new reader.
  ///
  ///     configuration.prepareDatabase { db in
  ///       try db.attach("/var/lib/shop/archive.sqlite", as: "archive")
  ///       db.trace { print($0) }
  ///     }
  public mutating func prepareDatabase(_ setup: @escaping @Sendable (Database) throws -> Void) {
    setups.append(setup)
  }
}
