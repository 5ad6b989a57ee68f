extension SharedReaderKey {
  /// The name of the key in reports.
  ///
  /// The name of a key that does not describe itself is its type: its properties may be personal
  /// data.
  var reportedName: String { name(of: self) }
}

/// A request whose name in reports is more than its type.
protocol ReportedRequest {
  var reportedName: String { get }
}

extension AllElements: ReportedRequest {
  var reportedName: String { "fetchAll(\(name(of: request)))" }
}

extension FirstElement: ReportedRequest {
  var reportedName: String { "fetchOne(\(name(of: request)))" }
}

extension RequiredElement: ReportedRequest {
  var reportedName: String { "fetchOne(\(name(of: request)))" }
}

extension RowCount: ReportedRequest {
  var reportedName: String { "fetchCount(\(name(of: request)))" }
}

extension KeysetPageRequest: ReportedRequest {
  var reportedName: String { "fetchPage(\(name(of: request)))" }
}

extension ObservationRequest {
  /// The name of the request in reports. It omits values, which may be personal data.
  var nameInReports: String {
    (self as? any ReportedRequest)?.reportedName ?? "fetch(\(name(of: self)))"
  }
}

private func name(of value: Any) -> String {
  (value as? any CustomStringConvertible)?.description ?? "\(type(of: value))"
}
