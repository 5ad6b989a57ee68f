/// Why a cluster has not shown what it should.
enum ClusterError: Error, CustomStringConvertible {
  case notSettled([String: Int])
  case filesDiffer(String)
  case lost([Int64], String)
  case doubled([String], String)

  var description: String {
    switch self {
    case .notSettled(let counts):
      "the nodes have not caught up within 20 seconds: they show these numbers of sales: \(counts)"
    case .filesDiffer(let directory): "the files in \(directory) differ"
    case .lost(let ids, let directory): "sales \(ids) are lost: see \(directory)"
    case .doubled(let orders, let directory):
      "orders \(orders) were sold more than once: see \(directory)"
    }
  }
}
