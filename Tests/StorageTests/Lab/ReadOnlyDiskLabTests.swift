import Foundation
import Storage
import Testing
import TestSupport
import WellspringSystem

/// The kernel makes a real file system read-only while it is in use, as it does after an error of
/// the disk.
@Suite(
  .enabled(
    if: BreakableDisk.isPossible,
    "needs the administrator, mkfs.ext4 and a loop device"
  ),
  .serialized
)
struct ReadOnlyDiskLabTests {
  @Test(arguments: [true, false])
  func `on a disk that becomes read-only, writes fail, and go on after the repair`(
    hasLog: Bool
  ) throws {
    let disk = try BreakableDisk()
    let path = disk.directory.file()
    func open(_ configuration: Configuration = Configuration()) throws
      -> any DatabaseWriter & DatabaseReader
    {
      hasLog
        ? try DatabasePool(path: path, configuration: configuration)
        : try DatabaseQueue(path: path, configuration: configuration)
    }
    let database = try open()
    try database.write { db in try db.execute(sql: Ledger.schema) }
    try database.write { db in try Ledger.add(1, to: db) }
    let last = Lock<Int?>(nil)
    let errors = Lock(0)
    let cancellable = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM ledger") ?? 0
    }.start(
      in: database,
      scheduling: .immediate,
      onError: { _ in errors.withLock { $0 += 1 } },
      onChange: { count in last.withLock { $0 = count } }
    )
    try disk.break()
    for number in 2...4 {
      let error = #expect(throws: DatabaseError.self) {
        try database.write { db in try Ledger.add(number, to: db) }
      }
      #expect(
        error?.message?.hasSuffix(": the file system is read-only") == true,
        "\(String(describing: error))"
      )
    }
    // Reads continue, also with new connections.
    try Ledger.check(database, acknowledged: [1], attempted: [1, 2, 3, 4])
    if let pool = database as? DatabasePool {
      try Ledger.check(pool.makeSnapshot(), acknowledged: [1], attempted: [1, 2, 3, 4])
    }
    try database.quiesce()
    #expect(last.withLock { $0 } == Ledger.parts)
    #expect(errors.withLock { $0 } == 0)
    let opening = #expect(throws: DatabaseError.self) {
      let other = try open()
      try other.write { db in try Ledger.add(5, to: db) }
    }
    #expect(opening?.message?.contains("read-only") == true, "\(String(describing: opening))")
    cancellable.cancel()
    // The log cannot be emptied.
    try? database.close()

    try disk.repair()
    let repaired = try open()
    try Ledger.checkIntegrity(repaired)
    try Ledger.check(repaired, acknowledged: [1], attempted: [1])
    try repaired.write { db in try Ledger.add(6, to: db) }
    try Ledger.check(repaired, acknowledged: [1, 6], attempted: [1, 6])
    try repaired.close()
  }

  @Test func `a watcher of a disk that is remounted read-only, and back, goes on`() throws {
    let disk = try BreakableDisk()
    let path = disk.directory.file()
    func add(_ number: Int) throws {
      let queue = try DatabaseQueue(path: path)
      try queue.write { db in try Ledger.add(number, to: db) }
      try queue.close()
    }
    do {
      let queue = try DatabaseQueue(path: path)
      try queue.write { db in try db.execute(sql: Ledger.schema) }
      try queue.close()
    }
    try add(1)
    var configuration = Configuration()
    configuration.readonly = true
    let watcher = try DatabasePool(path: path, configuration: configuration)
    try Ledger.check(watcher, acknowledged: [1], attempted: [1])
    try disk.remount(readOnly: true)
    try Ledger.check(watcher, acknowledged: [1], attempted: [1])
    let error = #expect(throws: DatabaseError.self) { try add(2) }
    #expect(error?.resultCode == .SQLITE_READONLY, "\(String(describing: error))")
    try disk.remount(readOnly: false)
    try add(3)
    try Ledger.check(watcher, acknowledged: [1, 3], attempted: [1, 3])
    try watcher.close()
  }
}

/// A file system on a loop device. The kernel can be made to find an error in it.
private final class BreakableDisk {
  static let isPossible: Bool = {
    guard let disk = try? BreakableDisk() else { return false }
    return FileManager.default.isWritableFile(atPath: disk.trigger)
  }()

  let directory = TemporaryDirectory()
  private let images = TemporaryDirectory()
  private let device: String

  init() throws {
    let image = images.file("image")
    try Data().write(to: URL(fileURLWithPath: image))
    truncate(image, 16 << 20)
    try Self.run("mkfs.ext4", "-q", "-F", image)
    device = try Self.run("losetup", "--find", "--show", image)
    do { try mountDevice() } catch {
      _ = try? Self.run("losetup", "--detach", device)
      throw error
    }
  }

  deinit {
    umount2(directory.path, Int32(MNT_DETACH))
    _ = try? Self.run("losetup", "--detach", device)
  }

  private func mountDevice() throws {
    guard mount(device, directory.path, "ext4", 0, "errors=remount-ro") == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EPERM)
    }
  }

  /// The file that makes the kernel find an error in this file system, and in no other one.
  private var trigger: String {
    "/sys/fs/ext4/\(device.split(separator: "/").last!)/trigger_fs_error"
  }

  /// Lets the kernel find an error, whereupon it makes the file system read-only.
  func `break`() throws {
    guard device.hasPrefix("/dev/loop") else { throw POSIXError(.ENODEV) }
    try "1".write(toFile: trigger, atomically: false, encoding: .utf8)
  }

  /// Repairs the file system. No file may be open in it.
  func repair() throws {
    guard umount2(directory.path, 0) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EBUSY)
    }
    // Exits with 1 when it has repaired something.
    _ = try? Self.run("e2fsck", "-fy", device)
    try mountDevice()
  }

  /// Changes whether writes are allowed. No file may be open for writing.
  func remount(readOnly: Bool) throws {
    let flags = UInt(MS_REMOUNT) | (readOnly ? UInt(MS_RDONLY) : 0)
    guard mount(device, directory.path, "ext4", flags, "errors=remount-ro") == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EPERM)
    }
  }

  /// Runs a program of the administrator, and returns its output.
  @discardableResult
  private static func run(_ program: String, _ arguments: String...) throws -> String {
    let process = try ChildProcess(["/usr/sbin/\(program)"] + arguments)
    process.endInput()
    let output = process.read().trimmingCharacters(in: .whitespacesAndNewlines)
    guard process.wait() == 0 else { throw Ledger.Damage("\(program): \(output)") }
    return output
  }
}
