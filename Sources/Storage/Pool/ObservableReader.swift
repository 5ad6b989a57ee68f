/// A reader that can be observed: every one of this library's.
protocol ObservableReader: DatabaseReader {
  var core: DatabaseCore { get }
}

extension DatabaseReader {
  /// What observations need of the reader.
  var observableCore: DatabaseCore {
    guard let reader = self as? any ObservableReader else {
      preconditionFailure(
        "\(type(of: self)) cannot be observed: use a DatabasePool or a DatabaseQueue."
      )
    }
    return reader.core
  }

  /// What the observations of this database have done so far.
  public var observationStatistics: ObservationStatistics { observableCore.broker.statistics }
}
