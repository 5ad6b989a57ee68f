import Foundation

/// A file system in memory that can be filled. Only an administrator can make one.
final class SmallDisk: Sendable {
  static let isPossible = (try? SmallDisk(kilobytes: 64)) != nil

  let path = NSTemporaryDirectory() + "wellspring-disk-" + UUID().uuidString
  private var filler: String { path + "/filler" }

  init(kilobytes: Int) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    guard mount("wellspring", path, "tmpfs", 0, "size=\(kilobytes)k") == 0 else {
      let code = POSIXErrorCode(rawValue: errno) ?? .EPERM
      rmdir(path)
      throw POSIXError(code)
    }
  }

  deinit {
    umount2(path, Int32(MNT_DETACH))
    rmdir(path)
  }

  /// Leaves no space.
  func fill() {
    let file = open(filler, O_WRONLY | O_CREAT, 0o600)
    let page = [UInt8](repeating: 1, count: 4_096)
    while write(file, page, page.count) > 0 {}
    close(file)
  }

  /// Gives the space back.
  func empty() { unlink(filler) }
}
