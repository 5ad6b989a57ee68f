/// A group of benchmarks; the command line selects it by name.
enum Group: String, CaseIterable {
  case fetch
  case associations
  case insert
  case write
  case start
  case observe
  case incremental
  case foreign
  case watch
  case replicate
  /// The points of figures. It runs only when it is named.
  case scale
}
