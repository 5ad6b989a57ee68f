internal import Foundation
internal import WellspringSystem

/// A log in etcd 3.4 or later.
///
///     let log = try EtcdLog(
///       endpoints: ["https://a:2379", "https://b:2379", "https://c:2379"],
///       database: "shop",
///       security: EtcdSecurity(authorityFile: "/etc/shop/ca.pem"))
///
/// It asks one endpoint, and the next one when that one does not answer. An append is sent again
/// until the time of a call is over; it has its effect once only, because its entry is marked.
///
/// Making a log does not connect. Calls block their thread, from several threads at a time if
/// needed.
public final class EtcdLog: ReplicationLog {
  let client: EtcdClient
  let keys: EtcdKeys
  private let compacts: Bool
  let learnsEndpoints: Bool
  // Guards the revision at which the tail was last seen, the idle watches, and the reads ahead.
  private let state = Lock(
    (tail: EtcdTail?.none, watches: [EtcdWatch](), ahead: [EtcdReadAhead]())
  )
  // Guards how fast the servers and the link are.
  private let speed = Lock(EtcdPace())

  /// The largest size of an entry in bytes.
  public let entryLimit: Int

  /// Makes a log of the servers' addresses.
  ///
  /// - Parameters:
  ///   - endpoints: The URLs of the members of one cluster, such as `http://127.0.0.1:2379`.
  ///   - prefix: The beginning of all keys.
  ///   - database: The name of the database: letters, digits, `-`, `_` and `.`.
  ///   - credentials: The user, if etcd has users.
  ///   - security: The certificates, if the URLs are `https`.
  ///   - timeouts: How long etcd may take.
  ///   - requestLimit: etcd's `--max-request-bytes`.
  ///   - compacts: Whether ``trim(below:)`` also compacts etcd's history, which frees the space.
  ///     Other users of the same etcd who read old revisions notice it.
  ///   - learnsEndpoints: Whether the addresses that the members give to their clients
  ///     (`--advertise-client-urls`) are used too, once they have answered as members of the same
  ///     cluster. A node asks for them each minute. Addresses without encryption are not used if
  ///     the given addresses are `https`, or if there are credentials.
  /// - Throws: ``ReplicationLogError/unexpected(_:)`` if an argument is malformed.
  public init(
    endpoints: [String],
    prefix: String = "/wellspring",
    database: String,
    credentials: EtcdCredentials? = nil,
    security: EtcdSecurity? = nil,
    timeouts: EtcdTimeouts = EtcdTimeouts(),
    requestLimit: Int = 1_572_864,
    compacts: Bool = true,
    learnsEndpoints: Bool = false
  ) throws(ReplicationLogError) {
    guard !endpoints.isEmpty else { throw .unexpected("there is no endpoint.") }
    for endpoint in endpoints {
      guard EtcdClient.address(endpoint) != nil else {
        throw .unexpected("\"\(endpoint)\" is not a URL such as http://127.0.0.1:2379.")
      }
    }
    let isName = database.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || [45, 46, 95].contains(byte)
    }
    guard isName, !database.isEmpty else {
      throw .unexpected("\"\(database)\" has other characters than letters, digits, -, _ and .")
    }
    let files = [security?.authorityFile, security?.certificateFile, security?.keyFile]
    for case let file? in files where !FileManager.default.isReadableFile(atPath: file) {
      throw .authentication("there is no readable file \(file).")
    }
    client = EtcdClient(
      endpoints: endpoints.compactMap(EtcdClient.address),
      credentials: credentials,
      security: security,
      timeouts: timeouts
    )
    keys = EtcdKeys(prefix: prefix, database: database)
    self.compacts = compacts
    self.learnsEndpoints = learnsEndpoints
    // The remaining part of the limit is for the keys, the comparison and the mark.
    entryLimit = max(1, requestLimit - 4096)
  }

  deinit { close() }

  /// Appends an entry, if the last entry's position still is the given one.
  ///
  /// - Parameters:
  ///   - bytes: The entry.
  ///   - position: The last entry that the writer knows.
  /// - Returns: The outcome of the append.
  /// - Throws: ``ReplicationLogError`` if the entry certainly is not in the log.
  public func append(
    _ bytes: [UInt8],
    expecting position: LogPosition
  ) throws(ReplicationLogError) -> AppendOutcome {
    guard bytes.count <= entryLimit else {
      throw .tooLarge(bytes: bytes.count, limit: entryLimit)
    }
    let next = position.next
    let mark = EtcdMark()
    let known = state.withLock { $0.tail }
    let revision = known?.position == position ? known?.revision : nil
    let result: EtcdResult<EtcdTransaction>
    do throws(ReplicationLogError) {
      result = try client.call(
        "/v3/kv/txn",
        appendRequest(bytes, mark, expecting: position, revision: revision),
        as: EtcdTransaction.self,
        limit: entryLimit,
        bytes: bytes.count,
        hasEffect: true
      )
    } catch {
      guard case .full = error else { throw error }
      guard let outcome = outcomeOfFullStore(mark, next) else { throw error }
      return outcome
    }
    guard case .answer(let answer) = result else {
      guard case .unknown(let reason) = result else { return .unknown("") }
      return .unknown(reason)
    }
    do throws(ReplicationLogError) {
      return try outcome(of: answer, mark, next)
    } catch {
      // An answer to another request leaves open whether the entry was stored.
      return .unknown(error.description)
    }
  }

  /// Returns the outcome of an append from its answer.
  private func outcome(
    of answer: EtcdTransaction,
    _ mark: EtcdMark,
    _ next: LogPosition
  ) throws(ReplicationLogError) -> AppendOutcome {
    try client.check(answer.header)
    if answer.succeeded == true {
      guard answer.responses?.count == 2, !answer.hasRanges(2) else {
        throw .unexpected("etcd answers something else than what was asked.")
      }
      note(EtcdTail(position: next, revision: answer.header.revision))
      return .appended(next)
    }
    guard answer.hasRanges(2) else {
      throw .unexpected("etcd answers something else than what was asked.")
    }
    let tail = try tail(in: answer.pairs(0))
    note(tail)
    if let found = answer.pairs(1).first {
      guard keys.position(found.key) == next else { throw .unexpected("etcd answers another key.") }
      // An attempt without an answer may have stored the entry before this one.
      return mark.isOn(found.value) ? .appended(next) : .conflict(tail: tail.position)
    }
    // The entry at the position was trimmed already, whose ever it was.
    if tail.position >= next { return .unknown("The log was trimmed in the meantime.") }
    return .conflict(tail: tail.position)
  }

  /// Finds out whether an entry is stored after etcd said that its store is full.
  ///
  /// The entry that reaches the quota is stored, and answered like a refused entry:
  /// https://github.com/etcd-io/etcd/blob/v3.4.23/etcdserver/apply.go (`quotaApplierV3`).
  ///
  /// - Returns: `nil` if the entry is not in the log.
  private func outcomeOfFullStore(_ mark: EtcdMark, _ next: LogPosition) -> AppendOutcome? {
    let tail: EtcdTail
    let entry: EtcdPair?
    do throws(ReplicationLogError) {
      let answer = try read([keys.tailRange, keys.range(from: next, limit: 1)])
      tail = try self.tail(in: answer.pairs(0))
      entry = answer.pairs(1).first
    } catch {
      return .unknown("etcd's store is full, and did not say whether it has the entry.")
    }
    note(tail)
    guard tail.position >= next else { return nil }
    guard let entry, keys.position(entry.key) == next else {
      return .unknown("The log was trimmed in the meantime.")
    }
    return mark.isOn(entry.value) ? .appended(next) : .conflict(tail: tail.position)
  }

  /// Returns the position of the last entry, or ``LogPosition/start`` if the log is empty.
  ///
  /// - Throws: ``ReplicationLogError``.
  public func tail() throws(ReplicationLogError) -> LogPosition {
    let answer = try read([keys.tailRange])
    let tail = try tail(in: answer.pairs(0))
    note(tail)
    return tail.position
  }

  /// Returns the position of the first entry that is kept, or `nil` if no entry is kept.
  ///
  /// - Throws: ``ReplicationLogError``.
  public func first() throws(ReplicationLogError) -> LogPosition? {
    let answer = try read([keys.range(from: LogPosition(1), limit: 1, keysOnly: true)])
    return answer.pairs(0).first.flatMap { keys.position($0.key) }
  }

  /// Removes the entries before a position, but not the last entry.
  ///
  /// - Parameter position: The first entry to keep.
  /// - Throws: ``ReplicationLogError``. The entries may be gone nevertheless.
  public func trim(below position: LogPosition) throws(ReplicationLogError) {
    let end = min(position, try tail())
    guard end > LogPosition(1) else { return }
    let deletion = try client.answer(
      "/v3/kv/deleterange",
      #"{"key":"\#(EtcdKeys.base64(keys.entry(LogPosition(1))))","#
        + #""range_end":"\#(EtcdKeys.base64(keys.entry(end)))"}"#,
      as: EtcdChange.self
    )
    try client.check(deletion.header)
    guard compacts, let revision = deletion.header.revision else { return }
    do {
      _ = try client.answer(
        "/v3/kv/compaction",
        #"{"revision":"\#(revision)"}"#,
        as: EtcdChange.self
      )
    } catch .unexpected {
      // Another client has compacted up to a later revision.
    }
  }

  /// Returns how much space is used.
  ///
  /// - Throws: ``ReplicationLogError``.
  public func usage() throws(ReplicationLogError) -> LogUsage {
    let status = try client.answer("/v3/maintenance/status", "{}", as: EtcdStatus.self)
    try client.check(status.header)
    let bytes = Int64(status.dbSize ?? "") ?? 0
    var usage = LogUsage(bytes: bytes, bytesInUse: Int64(status.dbSizeInUse ?? "") ?? bytes)
    usage.isFull = status.errors?.contains { $0.contains("NOSPACE") } ?? false
    return usage
  }

  /// Ends waiting calls, and later ones, with ``ReplicationLogError/closed``.
  public func close() {
    client.close()
    let watches = state.withLock { state in
      defer { state.watches = [] }
      return state.watches
    }
    withExtendedLifetime(watches) {}
  }

  /// Reads several ranges at one moment.
  ///
  /// - Parameters:
  ///   - ranges: The ranges.
  ///   - triesGRPC: Whether gRPC is tried first, which pays if the answer is large.
  /// - Returns: The answer, which has as many ranges.
  /// - Throws: ``ReplicationLogError``.
  func read(
    _ ranges: [EtcdRead],
    triesGRPC: Bool = false
  ) throws(ReplicationLogError) -> EtcdTransaction {
    let answer =
      if triesGRPC, let found = client.grpcAnswer(to: ranges) {
        found
      } else {
        try client.answer("/v3/kv/txn", ranges.json, as: EtcdTransaction.self)
      }
    try client.check(answer.header)
    guard answer.hasRanges(ranges.count) else {
      throw .unexpected("etcd answers something else than what was asked.")
    }
    return answer
  }

  /// Reads or changes how fast the log is read.
  func pace<Result: Sendable>(_ body: (inout EtcdPace) -> Result) -> Result {
    speed.withLock { body(&$0) }
  }

  /// Remembers where the tail is, so that the next append can compare its revision.
  func note(_ tail: EtcdTail) { state.withLock { $0.tail = tail } }

  /// The end of the log, when etcd last said it.
  var lastTail: EtcdTail? { state.withLock { $0.tail } }

  /// Takes an idle watch.
  func takeWatch() -> EtcdWatch? { state.withLock { $0.watches.popLast() } }

  /// Keeps a watch for the next call.
  func keep(_ watch: EtcdWatch) {
    let isKept = state.withLock { state in
      guard !client.isClosed, state.watches.count < 2 else { return false }
      state.watches.append(watch)
      return true
    }
    if !isKept { withExtendedLifetime(watch) {} }
  }

  /// Takes the reads ahead.
  func takeReadAhead() -> [EtcdReadAhead] {
    state.withLock { state in
      defer { state.ahead = [] }
      return state.ahead
    }
  }

  /// Keeps reads ahead for the next call.
  func keep(_ ahead: [EtcdReadAhead]) { state.withLock { $0.ahead = ahead } }

  func tail(in pairs: [EtcdPair]) throws(ReplicationLogError) -> EtcdTail {
    guard let pair = pairs.first else { return EtcdTail(position: .start, revision: nil) }
    let text = String(decoding: pair.value ?? Data(), as: UTF8.self)
    guard let number = Int64(text), number > 0 else {
      throw .unexpected("the tail of the log is damaged: \"\(text.prefix(40))\".")
    }
    return EtcdTail(position: LogPosition(number), revision: pair.mod_revision)
  }
}

/// Where the log ends, and the revision of etcd at which its end was written.
struct EtcdTail: Sendable {
  var position: LogPosition
  var revision: String?
}
