internal import WellspringSystem

/// The last frame of each page in a log that began with a salt.
struct LogFrames: Sendable {
  let salt: UInt64
  /// The last frame that is known.
  private(set) var last: UInt32 = 0
  private var frames: [DatabasePage.Number: UInt32] = [:]

  init(salt: UInt64) { self.salt = salt }

  /// Returns the last frame of a page; `nil` if the page is in the database only.
  subscript(page: DatabasePage.Number) -> UInt32? { frames[page] }

  /// How many bytes the frames take.
  var memory: Int { frames.capacity * (MemoryLayout<(DatabasePage.Number, UInt32)>.stride * 4 / 3) }

  /// Reads further frames.
  ///
  /// - Returns: The pages in them.
  mutating func read(
    upTo end: UInt32,
    _ files: LogFiles
  ) throws(PageObstacle) -> Set<DatabasePage.Number> {
    guard last < end else { return [] }
    let pages = try files.pages(inFrames: last + 1...end)
    for (offset, page) in pages.enumerated() { frames[page] = last + 1 + UInt32(offset) }
    last = end
    return Set(pages)
  }
}

/// The pages of the commits in a log's last frames, read in a snapshot that has these commits.
///
/// It is an object, because it keeps the pages that it has read.
final class LoggedPages: ChangedPages {
  let numbers: Set<DatabasePage.Number>
  private let files: LogFiles
  private let pageSize: Int
  private var usableSize: Int
  /// The frames before the commits.
  private let former: LogFrames
  /// The frames up to the commits' end.
  let frames: LogFrames
  private var known: [UInt32: DatabasePage] = [:]

  private static let headerOfLog = 32
  private static let headerOfFrame = 24

  /// - Parameters:
  ///   - files: The files.
  ///   - pageSize: The size of a page.
  ///   - former: The frames before the commits.
  ///   - last: The last frame of the commits.
  /// - Throws: The ``PageObstacle``.
  init(
    _ files: LogFiles,
    pageSize: Int,
    after former: LogFrames,
    upTo last: UInt32
  ) throws(PageObstacle) {
    var present = former
    numbers = try present.read(upTo: Fault.isOn(.pageEnd) ? last - 1 : last, files)
    self.files = files
    self.pageSize = pageSize
    self.former = former
    frames = present
    usableSize = pageSize
    let reserved = Int(try after(1).bytes[20])
    usableSize = pageSize - reserved
    known = [:]
  }

  func after(_ number: DatabasePage.Number) throws(PageObstacle) -> DatabasePage {
    if let frame = frames[number] { return try page(number, inFrame: frame) }
    return try pageOfDatabase(number)
  }

  func before(_ number: DatabasePage.Number) throws(PageObstacle) -> DatabasePage {
    if let frame = former[number] { return try page(number, inFrame: frame) }
    let page = try pageOfDatabase(number)
    // A checkpoint announces the frames that it is about to write, and then writes them.
    if numbers.contains(number), !Fault.isOn(.pageBackfill),
      try files.lastBackfilledFrame() > former.last
    {
      throw .overwritten
    }
    return page
  }

  private func page(
    _ number: DatabasePage.Number,
    inFrame frame: UInt32
  ) throws(PageObstacle) -> DatabasePage {
    if let page = known[frame] { return page }
    let offset = Self.offset(ofFrame: frame, pageSize: pageSize)
    let bytes = try files.log(at: offset + Self.headerOfFrame, count: pageSize)
    let page = try DatabasePage(number: number, bytes: bytes, usableSize: usableSize)
    known[frame] = page
    return page
  }

  private func pageOfDatabase(
    _ number: DatabasePage.Number
  ) throws(PageObstacle) -> DatabasePage {
    guard number > 0 else { throw .damaged }
    let bytes = try files.database(at: Int(number - 1) * pageSize, count: pageSize)
    return try DatabasePage(number: number, bytes: bytes, usableSize: usableSize)
  }

  // MARK: The log

  /// Where the header of a frame begins.
  static func offset(ofFrame frame: UInt32, pageSize: Int) -> Int {
    headerOfLog + Int(frame - 1) * (headerOfFrame + pageSize)
  }

  /// Returns how many commits the frames of a log up to its last one hold, at least.
  ///
  /// A commit is padded to the end of a sector by copies of its last frame, so frames of the same
  /// page count once.
  static func commits(
    in files: LogFiles,
    pageSize: Int,
    upTo last: UInt32
  ) throws(PageObstacle) -> UInt32 {
    var count: UInt32 = 0
    var lastPage: ArraySlice<UInt8>?
    guard last > 0 else { return 0 }
    for frame in 1...last {
      let header = try files.log(at: offset(ofFrame: frame, pageSize: pageSize), count: 8)
      // The last frame of a commit has the size of the database.
      guard header[4...] != [0, 0, 0, 0] else {
        lastPage = nil
        continue
      }
      if lastPage != header[..<4] { count += 1 }
      lastPage = header[..<4]
    }
    return count
  }

  /// Returns the checksum in the header of a frame.
  static func checksum(
    ofFrame frame: UInt32,
    in files: LogFiles,
    pageSize: Int
  ) throws(PageObstacle) -> UInt64 {
    let offset = offset(ofFrame: frame, pageSize: pageSize)
    return try files.log(at: offset + 16, count: 8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
