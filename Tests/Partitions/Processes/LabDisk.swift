import Foundation

/// A disk of one host, in memory, which can be full.
///
/// Its owner uses it on the main thread, and must call ``remove()``; ``Cleanup`` does it when the
/// process ends early.
final class LabDisk {
  /// Its name in the list of mounts.
  private static let device = "wellspring-lab"

  /// Where it is mounted.
  let path: String

  /// - Throws: ``LabError/notAllowed(_:)`` where nothing may be mounted.
  init(path: String) throws {
    self.path = path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    do {
      try LabProcess.run(["mount", "-t", "tmpfs", "-o", "size=2g", Self.device, path])
    } catch {
      throw LabError.notAllowed("\(error)")
    }
    Cleanup.add(.unmount(path))
  }

  /// Leaves no room for further bytes.
  func fill() throws {
    var space = statvfs()
    guard statvfs(path, &space) == 0 else {
      throw LabError.command("statvfs \(path): \(String(cString: strerror(errno)))")
    }
    let used = UInt(space.f_blocks - space.f_bfree) * space.f_frsize
    try resize("\(max(used, space.f_frsize))")
  }

  /// Gives the room back.
  func empty() throws { try resize("2g") }

  private func resize(_ size: String) throws {
    try LabProcess.run(["mount", "-o", "remount,size=\(size)", path])
  }

  /// Removes the disk.
  ///
  /// - Parameter keepsFiles: Whether its files are copied into a folder beside it.
  func remove(keepsFiles: Bool) {
    if keepsFiles { _ = try? LabProcess.run(["cp", "-a", path, path + ".files"]) }
    Cleanup.remove(.unmount(path))
    Self.unmount(path)
  }

  /// Removes the disks of labs whose processes are gone.
  static func removeLeftovers() {
    let mounts = (try? String(contentsOfFile: "/proc/mounts", encoding: .utf8)) ?? ""
    for line in mounts.split(separator: "\n") where line.hasPrefix("\(device) ") {
      let words = line.split(separator: " ")
      guard words.count > 1 else { continue }
      let path = String(words[1])
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent().lastPathComponent
      if LabProcess.isLeftover(folder) { unmount(path) }
    }
  }

  /// Unmounts a disk, also one whose files are open.
  static func unmount(_ path: String) { _ = try? LabProcess.run(["umount", "--lazy", path]) }
}
