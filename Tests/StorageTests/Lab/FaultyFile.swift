import CWellspringSQLite
import Storage
import WellspringSystem

/// A file of a ``FaultyFileSystem``: a header, and behind it the file of the default VFS.
struct FaultyFile {
  private typealias Pointer = UnsafeMutablePointer<sqlite3_file>

  /// Begins with the structure that SQLite expects of a file.
  private struct Header {
    var base: sqlite3_file
    var system: Unmanaged<FaultyFileSystem>
    /// The name of the file as C string; `nil` for a temporary file.
    var path: UnsafePointer<CChar>?
  }

  static let headerSize = Int32(MemoryLayout<Header>.stride)

  private let header: UnsafeMutablePointer<Header>
  private let real: UnsafeMutablePointer<sqlite3_file>

  private init(_ file: UnsafeMutablePointer<sqlite3_file>?) {
    let raw = UnsafeMutableRawPointer(file!)
    header = raw.assumingMemoryBound(to: Header.self)
    real = (raw + Int(Self.headerSize)).assumingMemoryBound(to: sqlite3_file.self)
  }

  private var system: FaultyFileSystem { header.pointee.system.takeUnretainedValue() }
  private var path: String? { header.pointee.path.map { String(cString: $0) } }
  private var methods: sqlite3_io_methods { real.pointee.pMethods.pointee }

  static func open(
    _ system: FaultyFileSystem,
    _ path: UnsafePointer<CChar>?,
    _ pointer: UnsafeMutablePointer<sqlite3_file>?,
    _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    let file = FaultyFile(pointer)
    file.header.pointee.base.pMethods = nil
    if system.failure(.open) != nil { return SQLITE_CANTOPEN }
    let code = system.real.pointee.xOpen(system.real, path, file.real, flags, outFlags)
    guard file.real.pointee.pMethods != nil else { return code }
    // SQLite keeps the name until the file is closed.
    let isDurable = path != nil && flags & SQLITE_OPEN_DELETEONCLOSE == 0
    file.header.pointee.system = .passUnretained(system)
    file.header.pointee.path = isDurable ? path : nil
    file.header.pointee.base.pMethods = UnsafePointer(ioMethods)
    if code == SQLITE_OK, isDurable, flags & SQLITE_OPEN_CREATE != 0, let path {
      system.note(.create(path: String(cString: path)))
    }
    return code
  }

  private nonisolated(unsafe) static let ioMethods: UnsafeMutablePointer<sqlite3_io_methods> = {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    methods.initialize(to: makeMethods())
    return methods
  }()

  private static func makeMethods() -> sqlite3_io_methods {
    var methods = sqlite3_io_methods()
    // Version 2 has the WAL's index, but no memory-mapped files, which would avoid `xRead`.
    methods.iVersion = 2
    methods.xClose = { pointer in
      let file = FaultyFile(pointer)
      let code = file.methods.xClose(file.real)
      file.header.pointee.base.pMethods = nil
      return code
    }
    methods.xRead = { pointer, buffer, count, offset in
      let file = FaultyFile(pointer)
      if file.system.failure(.read) != nil { return ResultCode.SQLITE_IOERR_READ.rawValue }
      return file.methods.xRead(file.real, buffer, count, offset)
    }
    methods.xWrite = { FaultyFile($0).write($1, $2, $3) }
    methods.xTruncate = { FaultyFile($0).truncate($1) }
    methods.xSync = { FaultyFile($0).sync($1) }
    methods.xFileSize = { pointer, size in
      let file = FaultyFile(pointer)
      if file.system.failure(.size) != nil { return ResultCode.SQLITE_IOERR_FSTAT.rawValue }
      return file.methods.xFileSize(file.real, size)
    }
    methods.xLock = { pointer, level in
      let file = FaultyFile(pointer)
      return file.methods.xLock(file.real, level)
    }
    methods.xUnlock = { pointer, level in
      let file = FaultyFile(pointer)
      return file.methods.xUnlock(file.real, level)
    }
    methods.xCheckReservedLock = { pointer, result in
      let file = FaultyFile(pointer)
      return file.methods.xCheckReservedLock(file.real, result)
    }
    methods.xFileControl = { pointer, operation, argument in
      let file = FaultyFile(pointer)
      if operation == SQLITE_FCNTL_LAST_ERRNO,
        let error = file.system.state.withLock({ $0.systemError })
      {
        argument?.assumingMemoryBound(to: Int32.self).pointee = error
        return SQLITE_OK
      }
      return file.methods.xFileControl(file.real, operation, argument)
    }
    methods.xSectorSize = { pointer in
      let file = FaultyFile(pointer)
      return file.methods.xSectorSize(file.real)
    }
    methods.xDeviceCharacteristics = { pointer in
      // Power-safe overwrite is not promised: bytes beside a write may be lost in its sector.
      let file = FaultyFile(pointer)
      return file.methods.xDeviceCharacteristics(file.real) & ~SQLITE_IOCAP_POWERSAFE_OVERWRITE
    }
    methods.xShmMap = { pointer, region, size, extends, address in
      let file = FaultyFile(pointer)
      if file.system.failure(.shmMap) != nil { return ResultCode.SQLITE_IOERR_SHMMAP.rawValue }
      return file.methods.xShmMap(file.real, region, size, extends, address)
    }
    methods.xShmLock = { pointer, offset, count, flags in
      let file = FaultyFile(pointer)
      return file.methods.xShmLock(file.real, offset, count, flags)
    }
    methods.xShmBarrier = { pointer in
      let file = FaultyFile(pointer)
      file.methods.xShmBarrier(file.real)
    }
    methods.xShmUnmap = { pointer, deletes in
      let file = FaultyFile(pointer)
      return file.methods.xShmUnmap(file.real, deletes)
    }
    return methods
  }

  private func write(_ buffer: UnsafeRawPointer?, _ count: Int32, _ offset: Int64) -> Int32 {
    switch system.failure(.write) {
    case nil, .slow: return writeThrough(buffer, count, offset)
    case .full: return SQLITE_FULL
    case .error, .system, .powerCut: return ResultCode.SQLITE_IOERR_WRITE.rawValue
    case .shortWrite:
      _ = writeThrough(buffer, count / 2, offset)
      return SQLITE_FULL
    }
  }

  private func writeThrough(_ buffer: UnsafeRawPointer?, _ count: Int32, _ offset: Int64) -> Int32 {
    let code = methods.xWrite(real, buffer, count, offset)
    if code == SQLITE_OK, let path {
      let bytes = [UInt8](UnsafeRawBufferPointer(start: buffer, count: Int(count)))
      system.note(.write(path: path, offset: Int(offset), bytes: bytes))
    }
    return code
  }

  private func truncate(_ size: Int64) -> Int32 {
    if system.failure(.truncate) != nil { return ResultCode.SQLITE_IOERR_TRUNCATE.rawValue }
    let code = methods.xTruncate(real, size)
    if code == SQLITE_OK, let path { system.note(.truncate(path: path, size: Int(size))) }
    return code
  }

  private func sync(_ flags: Int32) -> Int32 {
    if system.failure(.sync) != nil { return ResultCode.SQLITE_IOERR_FSYNC.rawValue }
    // The test's disk need not wait for the real one.
    if let path { system.note(.sync(path: path)) }
    return SQLITE_OK
  }
}
