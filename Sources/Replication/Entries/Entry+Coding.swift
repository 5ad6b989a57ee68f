extension Entry {
  private static let magic: [UInt8] = Array("WSRE".utf8)
  private static let format: UInt8 = 1

  /// Returns the bytes for the log, and the hash that the next entry names.
  func encoded() -> (bytes: [UInt8], hash: EntryHash) {
    precondition(fingerprint.count <= 255, "A schema fingerprint has at most 255 bytes.")
    var bytes = Self.magic
    bytes.reserveCapacity(body.count + 192)
    bytes.append(Self.format)
    bytes.append(kind.code)
    bytes += database.bytes
    bytes.append(number: epoch)
    bytes.append(number: commit)
    bytes += previous.bytes
    bytes.append(UInt8(fingerprint.count))
    bytes += fingerprint
    bytes.append(number: time)
    if case .part(let index, let count) = kind {
      bytes.append(number: index)
      bytes.append(number: count)
    }
    bytes.append(number: UInt32(body.count))
    bytes += body
    let hash = EntryHash(of: bytes)
    return (bytes + hash.bytes, hash)
  }

  /// Reads an entry and its hash from bytes of a log, which may hold anything.
  ///
  /// - Throws: ``EntryError``.
  static func decode(_ bytes: [UInt8]) throws(EntryError) -> (entry: Entry, hash: EntryHash) {
    guard bytes.starts(with: magic.prefix(bytes.count)), !bytes.isEmpty else { throw .notAnEntry }
    guard bytes.count > magic.count else { throw .cutOff }
    guard bytes[magic.count] == format else { throw .unknownFormat(bytes[magic.count]) }
    guard bytes.count >= magic.count + 1 + EntryHash.byteCount else { throw .cutOff }
    let content = bytes.dropLast(EntryHash.byteCount)
    let hash = EntryHash(of: content)
    guard hash.bytes.elementsEqual(bytes.suffix(EntryHash.byteCount)) else {
      throw .wrongChecksum
    }
    var reader = ByteReader(content.dropFirst(magic.count + 1))
    let code = try reader.integer(UInt8.self)
    guard
      let database = DatabaseID(bytes: try reader.take(DatabaseID.byteCount))
    else { throw .cutOff }
    let epoch = try reader.integer(Int64.self)
    let commit = try reader.integer(Int64.self)
    guard let previous = EntryHash(bytes: try reader.take(EntryHash.byteCount)) else {
      throw .cutOff
    }
    let fingerprint = Array(try reader.take(Int(try reader.integer(UInt8.self))))
    let time = try reader.integer(Int64.self)
    let kind = try Kind(code: code, &reader)
    let body = Array(try reader.take(Int(try reader.integer(UInt32.self))))
    guard reader.remaining == 0 else { throw .malformed("it has bytes after its body") }
    guard epoch >= 0, commit >= 0 else { throw .malformed("a number is negative") }
    let entry = Entry(
      database: database,
      epoch: epoch,
      commit: commit,
      previous: previous,
      fingerprint: fingerprint,
      time: time,
      kind: kind,
      body: body
    )
    return (entry, hash)
  }
}

extension Entry.Kind {
  fileprivate var code: UInt8 {
    switch self {
    case .genesis: 1
    case .epoch: 2
    case .commits: 3
    case .part: 4
    case .schema: 5
    case .snapshotNeeded: 6
    case .heartbeat: 7
    case .survivor: 8
    }
  }

  fileprivate init(code: UInt8, _ reader: inout ByteReader) throws(EntryError) {
    switch code {
    case 1: self = .genesis
    case 2: self = .epoch
    case 3: self = .commits
    case 4:
      let index = try reader.integer(UInt32.self)
      let count = try reader.integer(UInt32.self)
      guard count >= 2, index < count else {
        throw .malformed("it is part \(index) of \(count)")
      }
      self = .part(index: index, count: count)
    case 5: self = .schema
    case 6: self = .snapshotNeeded
    case 7: self = .heartbeat
    case 8: self = .survivor
    default: throw .malformed("its kind is \(code)")
    }
  }
}
