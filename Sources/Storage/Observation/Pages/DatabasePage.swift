internal import Glibc

/// A page of a database file.
///
/// Its bytes come from outside, so that each offset is checked.
/// https://www.sqlite.org/fileformat2.html#b_tree_pages
struct DatabasePage: Sendable {
  typealias Number = UInt32

  /// The kind of a page of a table or of an index.
  enum Kind: UInt8, Sendable {
    case interiorIndex = 2
    case interiorTable = 5
    case leafIndex = 10
    case leafTable = 13
  }

  let number: Number
  let bytes: [UInt8]
  /// The number of bytes that SQLite uses. The remaining bytes are reserved for extensions.
  let usableSize: Int

  /// Makes a page.
  ///
  /// - Throws: ``PageObstacle/damaged`` if no database has pages of these sizes.
  init(number: Number, bytes: [UInt8], usableSize: Int) throws(PageObstacle) {
    guard usableSize >= 480, usableSize <= bytes.count, bytes.count <= 65_536, number > 0 else {
      throw .damaged
    }
    self.number = number
    self.bytes = bytes
    self.usableSize = usableSize
  }

  // MARK: Numbers

  /// Reads two bytes.
  func short(_ offset: Int) throws(PageObstacle) -> Int {
    guard offset >= 0, offset + 2 <= usableSize else { throw .damaged }
    return Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
  }

  /// Reads four bytes.
  func word(_ offset: Int) throws(PageObstacle) -> UInt32 {
    guard offset >= 0, offset + 4 <= usableSize else { throw .damaged }
    return UInt32(bytes[offset]) << 24 | UInt32(bytes[offset + 1]) << 16
      | UInt32(bytes[offset + 2]) << 8 | UInt32(bytes[offset + 3])
  }

  /// Reads a number of one to nine bytes, and moves behind it.
  func varint(_ offset: inout Int) throws(PageObstacle) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<9 {
      guard offset >= 0, offset < usableSize else { throw .damaged }
      let byte = bytes[offset]
      offset += 1
      if index == 8 { return value << 8 | UInt64(byte) }
      value = value << 7 | UInt64(byte & 0x7f)
      if byte & 0x80 == 0 { return value }
    }
    return value
  }

  // MARK: Cells

  /// Where the page of a tree begins: the file's header precedes it on the first page.
  private var start: Int { number == 1 ? 100 : 0 }

  /// The kind of the page, if it belongs to a table or to an index.
  ///
  /// Pages of other kinds begin with the number of a page, whose first byte is 0 or 1 in files that
  /// are not huge.
  var kind: Kind? { Kind(rawValue: bytes[start]) }

  /// The offsets of the cells.
  func cells() throws(PageObstacle) -> [Int] {
    guard let kind else { throw .damaged }
    let header = start + (kind == .interiorIndex || kind == .interiorTable ? 12 : 8)
    let count = try short(start + 3)
    guard header + 2 * count <= usableSize else { throw .damaged }
    var offsets: [Int] = []
    offsets.reserveCapacity(count)
    for index in 0..<count {
      let offset = try short(header + 2 * index)
      guard offset >= header + 2 * count else { throw .damaged }
      offsets.append(offset)
    }
    return offsets
  }

  /// The pages below an interior page, from left to right.
  func children() throws(PageObstacle) -> [Number] {
    guard kind == .interiorTable || kind == .interiorIndex else { throw .damaged }
    var children: [Number] = []
    for cell in try cells() { children.append(try word(cell)) }
    children.append(try word(start + 8))
    return children
  }

  /// Returns the page below an interior page of a table to which the row with an id belongs.
  ///
  /// - Returns: The page, and the bounds of its row ids: the id of the row before them, and the
  ///   greatest id; `nil` where the page above does not have the bound.
  func child(
    withRow rowID: Int64
  ) throws(PageObstacle) -> (page: Number, previous: Int64?, last: Int64?) {
    guard kind == .interiorTable else { throw .damaged }
    var previous: Int64?
    for cell in try cells() {
      var position = cell + 4
      let last = Int64(bitPattern: try varint(&position))
      if rowID <= last { return (try word(cell), previous, last) }
      previous = last
    }
    return (try word(start + 8), previous, nil)
  }

  /// A row, or an entry of an index, in a page.
  struct Cell: Equatable, Sendable {
    /// The row id; 0 in an index.
    let rowID: Int64
    /// The bytes of the cell, with the number of the first overflow page.
    let bytes: Range<Int>
    /// The bytes of the record.
    let record: Range<Int>
    /// The first page with the rest of the record.
    let overflow: Number?
    /// How many pages that rest takes.
    let overflowCount: Int
  }

  /// Reads the cell at an offset; `nil` if it has a key and no record.
  func cell(at offset: Int) throws(PageObstacle) -> Cell? {
    guard let kind, kind != .interiorTable else { return nil }
    var position = kind == .interiorIndex ? offset + 4 : offset
    let size = try varint(&position)
    guard size <= UInt64(Int32.max) else { throw .damaged }
    let rowID = kind == .leafTable ? Int64(bitPattern: try varint(&position)) : 0
    let (total, local) = (Int(size), localSize(Int(size), kind))
    let end = position + local
    guard end <= usableSize else { throw .damaged }
    guard local < total else {
      return Cell(
        rowID: rowID,
        bytes: offset..<end,
        record: position..<end,
        overflow: nil,
        overflowCount: 0
      )
    }
    let room = usableSize - 4
    return Cell(
      rowID: rowID,
      bytes: offset..<end + 4,
      record: position..<end,
      overflow: try word(end),
      overflowCount: (total - local + room - 1) / room
    )
  }

  /// Whether the bytes of a cell equal the bytes of a cell of another page.
  func isEqual(_ cell: Cell, to other: DatabasePage, _ otherBytes: Range<Int>) -> Bool {
    guard cell.bytes.count == otherBytes.count else { return false }
    return bytes.withUnsafeBytes { left in
      other.bytes.withUnsafeBytes { right in
        let left = UnsafeRawBufferPointer(rebasing: left[cell.bytes])
        let right = UnsafeRawBufferPointer(rebasing: right[otherBytes])
        return memcmp(left.baseAddress!, right.baseAddress!, left.count) == 0
      }
    }
  }

  /// How many bytes of a record are in its page.
  private func localSize(_ size: Int, _ kind: Kind) -> Int {
    let maximum = kind == .leafTable ? usableSize - 35 : (usableSize - 12) * 64 / 255 - 23
    guard size > maximum else { return size }
    let minimum = (usableSize - 12) * 32 / 255 - 23
    let local = minimum + (size - minimum) % (usableSize - 4)
    return local <= maximum ? local : minimum
  }
}
