import Testing

@testable import Replication

@Suite struct SHA256Tests {
  // The examples of FIPS 180-4, and the lengths around a block.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `the hash of a message is that of the standard`(message: String, hash: String) {
    #expect(hexadecimal(EntryHash(of: message.utf8).bytes) == hash)
  }

  @Test func `a million letters have the hash of the standard`() {
    let hash = EntryHash(of: [UInt8](repeating: 97, count: 1_000_000))
    #expect(
      hexadecimal(hash.bytes)
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    )
  }
}
