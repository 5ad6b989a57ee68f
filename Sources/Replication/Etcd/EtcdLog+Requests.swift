internal import Foundation

extension EtcdLog {
  /// One transaction that writes an entry and the tail, if the tail still is as expected, and else
  /// reads the tail and the entry that has the position.
  func appendRequest(
    _ bytes: [UInt8],
    _ mark: EtcdMark,
    expecting position: LogPosition,
    revision: String?
  ) -> String {
    let tail = EtcdKeys.base64(keys.tail)
    let entry = EtcdKeys.base64(keys.entry(position.next))
    let value = Data(mark.bytes + bytes).base64EncodedString()
    var comparisons: [String]
    if position == .start {
      comparisons = [#"{"key":"\#(tail)","target":"CREATE","create_revision":"0"}"#]
    } else {
      let number = EtcdKeys.base64(String(position.sequence))
      comparisons = [#"{"key":"\#(tail)","target":"VALUE","value":"\#(number)"}"#]
      if let revision {
        comparisons.append(#"{"key":"\#(tail)","target":"MOD","mod_revision":"\#(revision)"}"#)
      }
    }
    let next = EtcdKeys.base64(String(position.next.sequence))
    return #"{"compare":[\#(comparisons.joined(separator: ","))],"success":["#
      + #"{"requestPut":{"key":"\#(entry)","value":"\#(value)"}},"#
      + #"{"requestPut":{"key":"\#(tail)","value":"\#(next)"}}],"failure":[\#(keys.tailRange.json),"#
      + #"{"requestRange":{"key":"\#(entry)"}}]}"#
  }

  /// Makes an entry of a stored pair.
  func entry(_ pair: EtcdPair) throws(ReplicationLogError) -> LogEntry {
    guard let position = keys.position(pair.key), let value = pair.value,
      value.count >= EtcdMark.size
    else {
      throw .unexpected("the log has a key that is not an entry: something else writes there.")
    }
    return LogEntry(position: position, bytes: Array(value.dropFirst(EtcdMark.size)))
  }
}
