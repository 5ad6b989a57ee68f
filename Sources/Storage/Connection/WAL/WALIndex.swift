internal import CWellspringSQLite
internal import Synchronization
internal import WellspringSystem

/// The state in the header of a WAL's index. All processes that use the file share this memory, so
/// its commits can be counted without reading the file.
///
/// https://www.sqlite.org/walformat.html#the_wal_index_header
package struct WALIndex: Equatable {
  /// The number of commits since the index was created. It restarts when the index is rebuilt after
  /// a crash.
  package let commits: UInt32
  /// The number of the last valid frame of the WAL.
  let lastFrame: UInt32
  /// The checksum of that frame.
  let checksum: UInt64
  /// Changes whenever the WAL restarts from its beginning.
  let salt: UInt64
  /// The size of the file's pages.
  let pageSize: Int

  init(commits: UInt32, lastFrame: UInt32, checksum: UInt64, salt: UInt64, pageSize: Int = 4096) {
    self.commits = commits
    self.lastFrame = lastFrame
    self.checksum = checksum
    self.salt = salt
    self.pageSize = pageSize
  }

  /// Whether the log has not begun: the index was built beside an empty one, or none.
  var isOfNoLog: Bool { lastFrame == 0 && salt == 0 }

  /// Returns whether the WAL restarted once since `earlier`: the first half of its salt, which is
  /// in the byte order of files, counts that.
  func isRestart(of earlier: WALIndex) -> Bool {
    UInt32(salt >> 32).byteSwapped == UInt32(earlier.salt >> 32).byteSwapped &+ 1
  }

  /// Returns whether nothing was committed since `earlier`. A checkpoint may have emptied the WAL.
  func holdsSameCommits(as earlier: WALIndex) -> Bool {
    self == earlier || (commits == earlier.commits && lastFrame == 0)
  }

  /// Reads the header through a connection whose database `main` is in WAL mode, during an access
  /// to that connection.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - wait: Called each time the header is found half written, with the number of times before.
  ///     It returns whether to read again.
  /// - Returns: `nil` when the header cannot be read, or has a version that this code does not
  ///   know.
  static func read(
    _ connection: OpaquePointer,
    whileTorn wait: (Int) -> Bool = WALIndex.waitForWriter
  ) -> WALIndex? {
    // Without a log, the connection has no index: asking for it would create one.
    guard file(connection, SQLITE_FCNTL_JOURNAL_POINTER) != nil,
      let file = file(connection, SQLITE_FCNTL_FILE_POINTER), let region = region(0, of: file)
    else { return nil }
    // A writer changes the second copy before the first one: when both are equal, they are
    // complete.
    var attempts = 0
    repeat {
      let first = Header(region)
      atomicMemoryFence(ordering: .acquiring)
      if first == Header(region + Header.size) { return WALIndex(first) }
      atomicMemoryFence(ordering: .acquiring)
      attempts += 1
    } while wait(attempts - 1)
    return nil
  }

  /// Returns a file of the database `main` that a connection has open.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - request: Which file: the database, or its journal or WAL.
  /// - Returns: The file; `nil` if it is not open.
  static func file(
    _ connection: OpaquePointer,
    _ request: Int32
  ) -> UnsafeMutablePointer<sqlite3_file>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(connection, "main", request, &file) == SQLITE_OK,
      let file, file.pointee.pMethods != nil
    else { return nil }
    return file
  }

  /// Returns a part of the index, of 32768 bytes.
  ///
  /// - Parameters:
  ///   - number: Which part; the first one has number 0.
  ///   - database: The file of the database, whose WAL its connection has open.
  /// - Returns: The address of the part; `nil` when SQLite cannot map it.
  static func region(
    _ number: UInt32,
    of database: UnsafeMutablePointer<sqlite3_file>
  ) -> UnsafeRawPointer? {
    guard let methods = database.pointee.pMethods, methods.pointee.iVersion >= 2,
      let map = methods.pointee.xShmMap
    else { return nil }
    var region: UnsafeMutableRawPointer?
    guard map(database, Int32(number), 32768, 0, &region) == SQLITE_OK else { return nil }
    return region.map { UnsafeRawPointer($0) }
  }

  /// Waits for a writer that is changing the header.
  ///
  /// On a busy machine, the writer may be suspended between the two copies. If it is killed there,
  /// the copies stay different until a transaction repairs the index.
  ///
  /// - Parameter attempts: How often the header was found half written before.
  /// - Returns: Whether to read it again; no after some 50 ms.
  static func waitForWriter(_ attempts: Int) -> Bool {
    if attempts >= 1000 { CurrentThread.pause(microseconds: 500) }
    return attempts < 1100
  }

  /// The number of bytes that both copies of the header take, at the beginning of the index.
  static let headersSize = 2 * Header.size

  /// The content of the beginning of an index's file.
  enum Contents: Equatable {
    /// No index exists, or it is empty: no process has the file open.
    case none
    /// A writer is changing the header.
    case torn
    case index(WALIndex)
  }

  /// Parses the first ``headersSize`` bytes of the file of an index.
  static func parse(_ bytes: [UInt8]) -> Contents {
    guard bytes.count == headersSize else { return .none }
    return bytes.withUnsafeBytes { buffer in
      let first = Header(buffer.baseAddress!)
      guard first == Header(buffer.baseAddress! + Header.size) else { return .torn }
      return WALIndex(first).map(Contents.index) ?? .none
    }
  }

  /// Returns whether both show the same commits of one WAL, though one index may have been rebuilt
  /// from it.
  func showsSameFrames(as other: WALIndex) -> Bool {
    lastFrame == other.lastFrame && checksum == other.checksum && salt == other.salt
  }

  /// Returns whether both count the same frames of one log, and at least one. It does not matter
  /// whether the index was rebuilt meanwhile. An empty log does not name the commits before it.
  package func countsSameFrames(as other: WALIndex) -> Bool {
    lastFrame > 0 && showsSameFrames(as: other)
  }

  private init?(_ header: Header) {
    guard header.version == 3_007_000, header.isInitialized else { return nil }
    commits = header.word(2)
    lastFrame = header.word(4)
    checksum = UInt64(header.word(6)) << 32 | UInt64(header.word(7))
    salt = UInt64(header.word(8)) << 32 | UInt64(header.word(9))
    pageSize = header.pageSize
  }

  /// One of the two copies of the header, as words in native byte order.
  private struct Header: Equatable {
    static let size = 48

    private let low: SIMD8<UInt32>
    private let high: SIMD4<UInt32>

    init(_ address: UnsafeRawPointer) {
      low = address.loadUnaligned(as: SIMD8<UInt32>.self)
      high = (address + 32).loadUnaligned(as: SIMD4<UInt32>.self)
    }

    func word(_ index: Int) -> UInt32 { index < 8 ? low[index] : high[index - 8] }

    var version: UInt32 { word(0) }

    /// The last two bytes of the word in memory; 1 means 65,536.
    var pageSize: Int {
      let size = withUnsafeBytes(of: word(3)) { $0.load(fromByteOffset: 2, as: UInt16.self) }
      return size == 1 ? 65_536 : Int(size)
    }
    // The flag is the first byte of the word in memory.
    var isInitialized: Bool { withUnsafeBytes(of: word(3)) { $0[0] } != 0 }
  }
}
