import Testing

@testable import Replication

/// The texts of the errors, which callers and operators read.
@Suite struct ReplicationErrorTests {
  private static let token = WriteToken(epoch: 2, sequence: 9)

  private static let texts: [(error: ReplicationError, text: String)] = [
    (
      .notPrimary(address: "a:1"),
      "This node is not the primary, and nothing was written. The primary is a:1."
    ),
    (
      .notPrimary(address: nil),
      "This node is not the primary, and nothing was written. It does not know the primary yet."
    ),
    (
      .outcomeUnknown(token),
      "The log did not say whether it has the write: wait for token 2.9."
    ),
    (.discardedToken(token), "A failover has discarded the write of token 2.9."),
    (.timeout, "The node has not reached the token in time."),
    (
      .snapshotNeeded(after: LogPosition(7)),
      "The log no longer has the entries after 7: the node needs a snapshot."
    ),
    (
      .snapshotNeeded(after: .start),
      """
      A snapshot is needed: set ReplicationOptions.snapshots on all nodes, and wait until the \
      primary has made one.
      """
    ),
    (.notReplicated, "The file is not part of a replicated database yet."),
    (
      .logLost(from: LogPosition(7)),
      """
      The log has lost entry 7 and those after it: choose the node to continue with, and open it \
      with ReplicatedDatabase(survivor:log:).
      """
    ),
    (
      .history(.brokenChain(LogPosition(7))),
      "Entry 7 of the log does not follow the history of this node."
    ),
    (.log(.unavailable("away")), "The log is unavailable: away"),
    (.diverged("no row"), "The file differs from the history of the log: no row."),
    (
      .foreignWrite,
      "Another connection has written to the file of this node: the file needs a snapshot."
    ),
    (
      .foreignFile,
      "The file has content that is not part of the history of the log: begin with an empty file."
    ),
    (.outboxIsFull, "Too many commits wait for the log, and nothing was written."),
    (
      .notLogged("away"),
      "The write is in the file of this node, and the log does not have it yet: away"
    ),
    (
      .discardedCommits,
      "A failover has discarded commits of this node: the file needs a snapshot."
    ),
    (
      .otherSurvivor(LogPosition(7)),
      "The history continues at entry 7 with the file of another node: this file needs a snapshot."
    ),
    (
      .transactionTooLarge(bytes: 20, limit: 10),
      """
      The changed rows of the transaction have 20 bytes, and may have 10: divide it, or set \
      ReplicationOptions.largestTransaction.
      """
    ),
    (
      .storeTimeout(.seconds(3)),
      """
      The store of snapshots has not answered for 3.0 seconds: look whether it works, or set a \
      longer ReplicationOptions.storeTimeout.
      """
    ),
    (.damagedSnapshot("cut off"), "A snapshot cannot be used: cut off."),
    (.fileInUse("process 7"), "The file has a node already, in process 7: end that one first."),
    (
      .groupWasUndone,
      "A write that was committed together with this one has rolled both back: try again."
    ),
    (.closed, "The node was closed."),
  ]

  @Test(arguments: texts)
  func `each error has its text`(error: ReplicationError, text: String) {
    #expect(error.description == text)
  }
}
