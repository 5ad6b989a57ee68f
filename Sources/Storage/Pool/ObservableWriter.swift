/// A writer of this library, which writes through the connection of its core.
protocol ObservableWriter: ObservableReader, DatabaseWriter {}
