import CWellspringSQLite
import Foundation
import Storage
import TestSupport
import WellspringSystem

/// A VFS over the default VFS. A call fails in it when a test says so, and it knows the content
/// that a power cut would leave on the disk.
///
/// Databases are opened in it by its name: `.uri(path, parameters: [.vfs(system.name)])`.
final class FaultyFileSystem: Sendable {
  struct State {
    var disk = Disk()
    var fault: Fault?
    /// The calls so far, by kind.
    var calls: [Fault.Call: Int] = [:]
    /// How often the fault has occurred.
    var occurrences = 0
    /// The error of the system that the fault represents.
    var systemError: Int32?
    /// Whether the power is cut: each call fails.
    var isDead = false
  }

  /// The memory that SQLite passes to the functions of the VFS.
  private struct Registered {
    var vfs: sqlite3_vfs
    var system: Unmanaged<FaultyFileSystem>
  }

  private static let lastNumber = Lock(0)

  let name: String
  /// The VFS that does the work.
  nonisolated(unsafe) let real: UnsafeMutablePointer<sqlite3_vfs>
  private nonisolated(unsafe) let registered: UnsafeMutablePointer<Registered>
  private nonisolated(unsafe) let cName: UnsafeMutablePointer<CChar>
  // Guards the disk and the fault. Calls to the VFS that does the work are made outside it.
  let state = Lock(State())
  /// Where to write down the operations on the disk, which several processes then share.
  private let log: DiskLog?

  init(log: DiskLog? = nil) {
    self.log = log
    let number = Self.lastNumber.withLock { last in
      last += 1
      return last
    }
    name = "faulty-\(number)"
    cName = strdup(name)
    real = sqlite3_vfs_find(nil)
    registered = .allocate(capacity: 1)
    // The other functions are the functions of the VFS below, which needs nothing but this copy.
    var vfs = real.pointee
    vfs.zName = UnsafePointer(cName)
    vfs.pNext = nil
    vfs.szOsFile = FaultyFile.headerSize + real.pointee.szOsFile
    vfs.xOpen = { vfs, path, file, flags, outFlags in
      FaultyFile.open(FaultyFileSystem.of(vfs), path, file, flags, outFlags)
    }
    vfs.xDelete = { vfs, path, syncsName in
      FaultyFileSystem.of(vfs).delete(path, syncsName: syncsName)
    }
    vfs.xAccess = { vfs, path, flags, result in
      let system = FaultyFileSystem.of(vfs)
      if system.failure(.access) != nil { return ResultCode.SQLITE_IOERR_ACCESS.rawValue }
      return system.real.pointee.xAccess(system.real, path, flags, result)
    }
    vfs.xGetLastError = { vfs, count, text in
      let system = FaultyFileSystem.of(vfs)
      if let error = system.state.withLock({ $0.systemError }) { return error }
      return system.real.pointee.xGetLastError(system.real, count, text)
    }
    registered.initialize(to: Registered(vfs: vfs, system: .passUnretained(self)))
    let pointer = UnsafeMutableRawPointer(registered).assumingMemoryBound(to: sqlite3_vfs.self)
    sqlite3_vfs_register(pointer, 0)
  }

  /// Removes the VFS. No database may be open in it any more.
  deinit {
    let pointer = UnsafeMutableRawPointer(registered).assumingMemoryBound(to: sqlite3_vfs.self)
    sqlite3_vfs_unregister(pointer)
    registered.deallocate()
    free(cName)
  }

  private static func of(_ vfs: UnsafeMutablePointer<sqlite3_vfs>?) -> FaultyFileSystem {
    UnsafeMutableRawPointer(vfs!).assumingMemoryBound(to: Registered.self).pointee.system
      .takeUnretainedValue()
  }

  // MARK: Faults

  /// Lets a call fail from now on. Calls are counted from zero.
  func inject(_ fault: Fault) {
    state.withLock { state in
      state.fault = fault
      state.calls = [:]
      state.occurrences = 0
    }
  }

  /// Repairs the fault: calls succeed, unless the power is cut.
  func repair() {
    state.withLock { state in
      state.fault = nil
      state.systemError = nil
    }
  }

  /// Cuts the power: each call fails from now on.
  func cutPower() { state.withLock { $0.isDead = true } }

  var occurrences: Int { state.withLock { $0.occurrences } }

  /// Counts a call.
  ///
  /// - Returns: The effect of the fault that hits it; `nil` when it succeeds.
  func failure(_ call: Fault.Call) -> Fault.Effect? {
    let effect = effect(call)
    guard effect == .slow else { return effect }
    // The delay is the fault.
    usleep(20_000)
    return nil
  }

  private func effect(_ call: Fault.Call) -> Fault.Effect? {
    state.withLock { state in
      if state.isDead { return .powerCut }
      let number = state.calls[call, default: 0]
      state.calls[call] = number + 1
      guard let fault = state.fault, fault.call == call,
        fault.persists ? number >= fault.number : number == fault.number
      else { return nil }
      state.occurrences += 1
      if fault.effect == .powerCut { state.isDead = true }
      if case .system(let error) = fault.effect { state.systemError = error }
      return fault.effect
    }
  }

  private func delete(_ path: UnsafePointer<CChar>?, syncsName: Int32) -> Int32 {
    if failure(.delete) != nil { return ResultCode.SQLITE_IOERR_DELETE.rawValue }
    let code = real.pointee.xDelete(real, path, syncsName)
    if code == SQLITE_OK {
      note(.delete(path: String(cString: path!), syncsName: syncsName != 0))
    }
    return code
  }

  /// Notes an operation on the disk.
  func note(_ operation: DiskOperation) {
    if let log { return log.append(operation) }
    state.withLock { $0.disk.apply(operation) }
  }

  // MARK: Power cuts

  /// Makes the file at the path part of the disk, synced. No database may be open at it.
  func adopt(_ path: String) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    state.withLock { $0.disk.add(path, bytes) }
  }

  /// Replaces the files of a directory by the files after a power cut. No database may be open.
  func reboot(
    _ directory: TemporaryDirectory,
    surviving survival: Disk.Survival,
    _ generator: inout SeededGenerator
  ) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
      try FileManager.default.removeItem(atPath: directory.file(name))
    }
    let disk = state.withLock { $0.disk }
    for (path, bytes) in disk.files(surviving: survival, &generator) {
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
  }
}
