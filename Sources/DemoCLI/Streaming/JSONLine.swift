internal import Storage

/// A watched value as one line of JSON.
///
///     {"number":12,"columns":["id","name"],"rows":[{"id":1,"name":"cup"},{"id":2,"name":null}]}
///
/// Of several queries, `"query":"item"` comes before the number.
enum JSONLine {
  /// Returns the line of a value in UTF-8, including the line feed.
  static func encode(_ value: WatchedValue, query: String? = nil) -> [UInt8] {
    let names = JSONNames(columns: value.result.columns)
    var line = JSONText()
    line.append(raw: "{")
    line.appendMember(query: query)
    line.append(raw: "\"number\":\(value.number),\"columns\":")
    line.appendArray(names.names) { $0.append($1) }
    line.append(raw: ",\"rows\":")
    line.appendArray(value.result.rows) { $0.append($1, names: names) }
    line.append(raw: "}\n")
    return line.bytes
  }
}

extension JSONText {
  /// Appends the member with the name of a query, if it has one, and a comma.
  mutating func appendMember(query: String?) {
    guard let query else { return }
    append(raw: "\"query\":")
    append(query)
    append(raw: ",")
  }
}
