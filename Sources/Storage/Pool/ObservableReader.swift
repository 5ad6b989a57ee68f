/// A reader of this library, which reads through the connections of its core.
protocol ObservableReader: DatabaseReader {
  /// The connections and the observation broker.
  var core: DatabaseCore { get }
}

extension DatabaseReader {
  /// The core of the reader, for observations.
  var observableCore: DatabaseCore {
    if let face = self as? any DatabaseFace { return face.facedDatabase.observableCore }
    guard let reader = self as? any ObservableReader else {
      preconditionFailure(
        "\(type(of: self)) cannot be observed: use a DatabasePool or a DatabaseQueue."
      )
    }
    return reader.core
  }

  /// Counters of what the observations of this database have done so far.
  public var observationStatistics: ObservationStatistics { observableCore.broker.statistics }
}
