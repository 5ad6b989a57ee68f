import Foundation

/// Two authorities, and certificates signed by the first one: of a server, of a client, and a
/// certificate that is good for servers only.
final class Certificates: Sendable {
  private let directory: String

  init() throws {
    directory = NSTemporaryDirectory() + "wellspring-certificates-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.currentDirectoryURL = URL(fileURLWithPath: directory)
    process.arguments = [
      "-ec",
      """
      new="openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
      for name in ca other; do
        $new -x509 -days 2 -subj "/CN=$name" -keyout $name.key -out $name.pem
      done
      echo "subjectAltName=IP:127.0.0.1,DNS:localhost" > names
      for name in server client only-server; do
        if [ $name = only-server ]; then echo "extendedKeyUsage=serverAuth" >> names; fi
        $new -subj "/CN=$name" -keyout $name.key -out $name.csr
        openssl x509 -req -in $name.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 \
          -extfile names -out $name.pem
      done
      """,
    ]
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  func path(_ name: String) -> String { directory + "/" + name }
}
