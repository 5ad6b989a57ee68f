// GRDB divides the refinements of a request among several protocols. Here they are one, and these
// names let extensions that were written for one of them compile.

/// A request that can be filtered: ``DerivableRequest``.
public typealias FilteredRequest = DerivableRequest

/// A request that can be sorted: ``DerivableRequest``.
public typealias OrderedRequest = DerivableRequest

/// A request whose result columns can be chosen: ``DerivableRequest``.
public typealias SelectionRequest = DerivableRequest

/// A request whose rows can be grouped: ``DerivableRequest``.
public typealias AggregatingRequest = DerivableRequest

/// A request for the rows of a table: ``DerivableRequest``.
public typealias TableRequest = DerivableRequest

/// A request that can be joined by associations: ``DerivableRequest``.
public typealias JoinableRequest = DerivableRequest

/// A request that knows the type of its rows: ``DerivableRequest``.
public typealias TypedRequest = DerivableRequest
