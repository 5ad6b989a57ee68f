@testable import StorageTestSupport

/// An operation on a ``Disk``, as one record of a ``DiskLog``.
enum DiskOperation: Hashable, Sendable {
  case create(path: String)
  case write(path: String, offset: Int, bytes: [UInt8])
  case truncate(path: String, size: Int)
  /// The bytes that were written before are on the disk when the call returns.
  case sync(path: String)
  case delete(path: String, syncsName: Bool)
  /// A process is about to write an entry.
  case attempt(number: Int)
  /// A process has got the answer that an entry is committed.
  case acknowledge(number: Int)
}

extension Disk {
  /// Applies an operation.
  mutating func apply(_ operation: DiskOperation) {
    switch operation {
    case .create(let path): create(path)
    case .write(let path, let offset, let bytes): write(path, at: offset, bytes)
    case .truncate(let path, let size): truncate(path, to: size)
    case .sync(let path): sync(path)
    case .delete(let path, let syncsName): delete(path, syncsName: syncsName)
    case .attempt, .acknowledge: break
    }
  }
}

// MARK: - Records

extension DiskOperation {
  private enum Kind: UInt8 {
    case create, write, truncate, sync, delete, attempt, acknowledge
  }

  /// The operation as bytes: its kind, a number, the sizes of the path and the bytes, and these.
  var record: [UInt8] {
    let (kind, number, path, bytes): (Kind, Int, String, [UInt8]) =
      switch self {
      case .create(let path): (.create, 0, path, [])
      case .write(let path, let offset, let bytes): (.write, offset, path, bytes)
      case .truncate(let path, let size): (.truncate, size, path, [])
      case .sync(let path): (.sync, 0, path, [])
      case .delete(let path, let syncsName): (.delete, syncsName ? 1 : 0, path, [])
      case .attempt(let number): (.attempt, number, "", [])
      case .acknowledge(let number): (.acknowledge, number, "", [])
      }
    var record = [kind.rawValue]
    for value in [number, path.utf8.count, bytes.count] {
      withUnsafeBytes(of: Int64(value).littleEndian) { record += $0 }
    }
    return record + Array(path.utf8) + bytes
  }

  /// Reads the operation at the start of some bytes, and removes its record from them. Returns
  /// `nil` at the end.
  init?(takingFrom bytes: inout ArraySlice<UInt8>) {
    guard let kind = bytes.first.flatMap(Kind.init), bytes.count >= 25 else { return nil }
    let values = (0..<3).map { place in
      let start = bytes.startIndex + 1 + 8 * place
      return Int(bytes[start..<start + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
    let pathStart = bytes.startIndex + 25
    let contentStart = pathStart + values[1]
    let end = contentStart + values[2]
    guard end <= bytes.endIndex else { return nil }
    let path = String(decoding: bytes[pathStart..<contentStart], as: UTF8.self)
    let content = Array(bytes[contentStart..<end])
    bytes = bytes[end...]
    self =
      switch kind {
      case .create: .create(path: path)
      case .write: .write(path: path, offset: values[0], bytes: content)
      case .truncate: .truncate(path: path, size: values[0])
      case .sync: .sync(path: path)
      case .delete: .delete(path: path, syncsName: values[0] == 1)
      case .attempt: .attempt(number: values[0])
      case .acknowledge: .acknowledge(number: values[0])
      }
  }
}
