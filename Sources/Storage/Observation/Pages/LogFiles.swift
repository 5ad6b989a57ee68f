internal import CWellspringSQLite

/// The files of a database in WAL mode, as a connection has opened them.
///
/// They are read through SQLite's own file objects: to close another descriptor of a file would
/// drop the locks of this process. They are valid during an access to the connection.
struct LogFiles {
  private let database: UnsafeMutablePointer<sqlite3_file>
  private let log: UnsafeMutablePointer<sqlite3_file>

  /// - Returns: `nil` if the connection has opened no log.
  init?(_ connection: OpaquePointer) {
    guard let database = WALIndex.file(connection, SQLITE_FCNTL_FILE_POINTER),
      let log = WALIndex.file(connection, SQLITE_FCNTL_JOURNAL_POINTER)
    else { return nil }
    self.database = database
    self.log = log
  }

  /// Whether the log may have a frame behind the last frame of an index: a frame of a commit that
  /// is being written, or of a commit that was rolled back.
  func mayHaveFrame(after index: WALIndex) -> Bool {
    let offset = LoggedPages.offset(ofFrame: index.lastFrame + 1, pageSize: index.pageSize)
    guard let read = log.pointee.pMethods.pointee.xRead else { return true }
    // The salt in the header of the frame; 0 if the checksum of the frame is not computed yet.
    var salt: (high: UInt32, low: UInt32) = (0, 0)
    switch read(log, &salt, 8, Int64(offset + 8)) {
    // SQLITE_IOERR_SHORT_READ, a macro that Swift does not import.
    case SQLITE_IOERR | 2 << 8: return false
    case SQLITE_OK:
      // A new log gets its salt with its first frame, and the index with the first commit.
      let isOfLog = UInt64(salt.high) << 32 | UInt64(salt.low) == index.salt
      return index.lastFrame == 0 || salt == (0, 0) || isOfLog
    default: return true
    }
  }

  /// Reads bytes of the database.
  func database(at offset: Int, count: Int) throws(PageObstacle) -> [UInt8] {
    try Self.read(database, offset, count)
  }

  /// Reads bytes of the log.
  func log(at offset: Int, count: Int) throws(PageObstacle) -> [UInt8] {
    try Self.read(log, offset, count)
  }

  private static func read(
    _ file: UnsafeMutablePointer<sqlite3_file>,
    _ offset: Int,
    _ count: Int
  ) throws(PageObstacle) -> [UInt8] {
    guard let read = file.pointee.pMethods.pointee.xRead else { throw .unreadable }
    var code = SQLITE_OK
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
      code = read(file, buffer.baseAddress, Int32(count), Int64(offset))
      length = count
    }
    guard code == SQLITE_OK else { throw .unreadable }
    return bytes
  }

  // MARK: The index

  // https://www.sqlite.org/walformat.html#the_wal_index_file_format
  private static let headerSize = 136
  private static let backfillOffset = 128
  private static let framesOfRegion: UInt32 = 4096
  private static let framesOfFirstRegion: UInt32 = 4062

  private func region(_ number: UInt32) throws(PageObstacle) -> UnsafeRawPointer {
    guard let region = WALIndex.region(number, of: database) else { throw .unreadable }
    return region
  }

  /// Returns the pages that frames hold; the first frame has number 1.
  func pages(inFrames frames: ClosedRange<UInt32>) throws(PageObstacle) -> [DatabasePage.Number] {
    var pages: [DatabasePage.Number] = []
    pages.reserveCapacity(frames.count)
    var frame = frames.lowerBound
    while frame <= frames.upperBound {
      let isFirst = frame <= Self.framesOfFirstRegion
      let position = frame - 1 - (isFirst ? 0 : Self.framesOfFirstRegion)
      let number = isFirst ? 0 : 1 + position / Self.framesOfRegion
      let first = isFirst ? position : position % Self.framesOfRegion
      let end = isFirst ? Self.framesOfFirstRegion : Self.framesOfRegion
      let address = try region(number) + (isFirst ? Self.headerSize : 0)
      let count = min(end - first, frames.upperBound - frame + 1)
      for index in first..<first + count {
        pages.append(address.load(fromByteOffset: 4 * Int(index), as: UInt32.self))
      }
      frame += count
    }
    return pages
  }

  /// The last frame that a checkpoint may have written to the database.
  func lastBackfilledFrame() throws(PageObstacle) -> UInt32 {
    try region(0).load(fromByteOffset: Self.backfillOffset, as: UInt32.self)
  }
}
